// The kernel's file calls on a disk that fails.
#include "FaultDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int begin(FaultDisk *disk, const char *doing, const char *path, int takes_room) {
  pthread_mutex_lock(&disk->lock);
  int verdict = disk_verdict(disk, doing, path, takes_room);
  if (verdict == VERDICT_TEAR) disk_die();
  if (verdict != VERDICT_PASS) pthread_mutex_unlock(&disk->lock);
  return verdict;
}

static int end(FaultDisk *disk, int result) {
  pthread_mutex_unlock(&disk->lock);
  return result;
}

static int failure(int result) { return result < 0 ? -errno : result; }

// The path of an open file, for the names of its operations.
static const char *path_of(int file, char *path, size_t room) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, room - 1);
  path[length > 0 ? length : 0] = 0;
  return path;
}

int fault_open(FaultDisk *disk, const char *path, int flags, mode_t mode) {
  if (!(flags & (O_CREAT | O_TRUNC))) {
    pthread_mutex_lock(&disk->lock);
    int verdict = disk_read_verdict(disk);
    if (verdict != VERDICT_PASS) return end(disk, -verdict);
    int file = failure(open(path, flags, mode));
    if (file >= 0 && (flags & (O_WRONLY | O_RDWR))) (void)disk_inode(disk, path);
    return end(disk, file);
  }
  int verdict = begin(disk, "open", path, 1);
  if (verdict != VERDICT_PASS) return -verdict;
  int is_new = access(path, F_OK) != 0;
  if (!is_new && (flags & O_TRUNC)) disk_will_cut(disk_inode(disk, path), 0);
  int file = failure(open(path, flags, mode));
  if (file >= 0 && is_new) disk_entry(disk, ENTRY_MADE, path, NULL, NULL);
  if (file >= 0) (void)disk_inode(disk, path);
  return end(disk, file);
}

int64_t fault_read(FaultDisk *disk, int file, void *bytes, size_t count) {
  pthread_mutex_lock(&disk->lock);
  int verdict = disk_read_verdict(disk);
  if (verdict != VERDICT_PASS) return end(disk, -verdict);
  pthread_mutex_unlock(&disk->lock);
  ssize_t got = read(file, bytes, count);
  return got < 0 ? -errno : got;
}

int64_t fault_write(FaultDisk *disk, int file, const void *bytes, size_t count) {
  char path[4096];
  pthread_mutex_lock(&disk->lock);
  int verdict = disk_verdict(disk, "write", path_of(file, path, sizeof path), 1);
  if (verdict == VERDICT_TEAR) {
    if (write(file, bytes, count / 2) >= 0) disk_die();
    disk_die();
  }
  if (verdict != VERDICT_PASS) return end(disk, -verdict);
  struct stat now;
  if (fstat(file, &now) != 0) return end(disk, -errno);
  int is_appending = fcntl(file, F_GETFL) & O_APPEND;
  int64_t offset = is_appending ? now.st_size : lseek(file, 0, SEEK_CUR);
  disk_will_write(disk_inode_of(disk, file), offset, bytes, count);
  ssize_t done = write(file, bytes, count);
  int64_t result = done < 0 ? -errno : done;
  pthread_mutex_unlock(&disk->lock);
  return result;
}

int fault_fsync(FaultDisk *disk, int file) {
  char path[4096];
  int verdict = begin(disk, "sync", path_of(file, path, sizeof path), 0);
  if (verdict != VERDICT_PASS) return -verdict;
  struct stat now;
  if (fstat(file, &now) == 0 && S_ISDIR(now.st_mode)) disk_did_sync_folder(disk, &now);
  else disk_did_sync(disk_inode_of(disk, file));
  return end(disk, 0);
}

int fault_rename(FaultDisk *disk, const char *from, const char *to) {
  int verdict = begin(disk, "rename", to, 0);
  if (verdict != VERDICT_PASS) return -verdict;
  char *kept = disk_keep(disk, to);
  int result = failure(rename(from, to));
  if (result == 0) disk_entry(disk, ENTRY_RENAMED, to, from, kept);
  else free(kept);
  return end(disk, result);
}

int fault_link(FaultDisk *disk, const char *from, const char *to) {
  int verdict = begin(disk, "link", to, 1);
  if (verdict != VERDICT_PASS) return -verdict;
  int result = failure(link(from, to));
  if (result == 0) disk_entry(disk, ENTRY_MADE, to, NULL, NULL);
  return end(disk, result);
}

int fault_unlink(FaultDisk *disk, const char *path) {
  int verdict = begin(disk, "unlink", path, 0);
  if (verdict != VERDICT_PASS) return -verdict;
  char *kept = disk_keep(disk, path);
  int result = failure(unlink(path));
  if (result == 0) disk_entry(disk, ENTRY_REMOVED, path, NULL, kept);
  else free(kept);
  return end(disk, result);
}

int fault_mkdir(FaultDisk *disk, const char *path, mode_t mode) {
  int verdict = begin(disk, "mkdir", path, 1);
  if (verdict != VERDICT_PASS) return -verdict;
  int result = failure(mkdir(path, mode));
  if (result == 0) disk_entry(disk, ENTRY_FOLDER, path, NULL, NULL);
  return end(disk, result);
}

int fault_ftruncate(FaultDisk *disk, int file, int64_t size) {
  char path[4096];
  int verdict = begin(disk, "truncate", path_of(file, path, sizeof path), 0);
  if (verdict != VERDICT_PASS) return -verdict;
  disk_will_cut(disk_inode_of(disk, file), size);
  return end(disk, failure(ftruncate(file, size)));
}
