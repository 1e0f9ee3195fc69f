// The counter, and what isn't synced.
#include "FaultDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *need(void *memory) {
  if (!memory) abort();
  return memory;
}

static char *copy_of(const char *text) { return text ? need(strdup(text)) : NULL; }

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

FaultDisk *fault_disk_make(const char *folder) {
  static atomic_int made = 0;
  FaultDisk *disk = need(calloc(1, sizeof *disk));
  pthread_mutex_init(&disk->lock, NULL);
  disk->folder = copy_of(folder);
  snprintf(disk->name, sizeof disk->name, "ferry-fault-%d", atomic_fetch_add(&made, 1));
  vfs_prepare(disk);
  if (sqlite3_vfs_register(&disk->vfs, 0) != SQLITE_OK) abort();
  return disk;
}

const char *fault_disk_vfs(const FaultDisk *disk) { return disk->name; }

static void forget_names(FaultDisk *disk) {
  for (int64_t i = 0; i < disk->named; i++) free(disk->names[i]);
  free(disk->names);
  disk->names = NULL;
  disk->named = 0;
}

void fault_disk_plan(FaultDisk *disk, int fault, int64_t first, int64_t count) {
  pthread_mutex_lock(&disk->lock);
  disk->fault = fault;
  disk->first = first;
  disk->count = count;
  disk->changes = disk->reads = disk->failures = 0;
  forget_names(disk);
  pthread_mutex_unlock(&disk->lock);
}

static int64_t locked(FaultDisk *disk, const int64_t *value) {
  pthread_mutex_lock(&disk->lock);
  int64_t now = *value;
  pthread_mutex_unlock(&disk->lock);
  return now;
}

int64_t fault_disk_changes(FaultDisk *disk) { return locked(disk, &disk->changes); }
int64_t fault_disk_reads(FaultDisk *disk) { return locked(disk, &disk->reads); }
int64_t fault_disk_failures(FaultDisk *disk) { return locked(disk, &disk->failures); }

const char *fault_disk_change(FaultDisk *disk, int64_t number) {
  pthread_mutex_lock(&disk->lock);
  const char *name = number >= 1 && number <= disk->named ? disk->names[number - 1] : "";
  pthread_mutex_unlock(&disk->lock);
  return name;
}

// MARK: What becomes of an operation

void disk_die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

int disk_records(const FaultDisk *disk) { return disk->fault == FAULT_POWER && !disk->is_dead; }

static int is_due(const FaultDisk *disk, int64_t number) {
  return number >= disk->first && number - disk->first < disk->count;
}

static void note_name(FaultDisk *disk, const char *doing, const char *path) {
  if ((disk->named & (disk->named - 1)) == 0) {
    size_t room = disk->named ? (size_t)disk->named * 2 : 1;
    disk->names = need(realloc(disk->names, room * sizeof *disk->names));
  }
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s %s", doing, last_part(path));
  disk->names[disk->named++] = copy_of(name);
}

int disk_verdict(FaultDisk *disk, const char *doing, const char *path, int takes_room) {
  if (disk->is_dead) return EIO;
  int64_t number = ++disk->changes;
  note_name(disk, doing, path);
  if (!is_due(disk, number)) return VERDICT_PASS;
  switch (disk->fault) {
  case FAULT_KILL:
    disk_die();
    break;
  case FAULT_TEAR: return VERDICT_TEAR;
  case FAULT_POWER:
    disk->is_dead = 1;
    disk->failures++;
    return EIO;
  case FAULT_IO:
    disk->failures++;
    return EIO;
  case FAULT_FULL:
    if (!takes_room) return VERDICT_PASS;
    disk->failures++;
    return ENOSPC;
  }
  return VERDICT_PASS;
}

int disk_read_verdict(FaultDisk *disk) {
  if (disk->is_dead) return EIO;
  int64_t number = ++disk->reads;
  if (disk->fault != FAULT_READ || !is_due(disk, number)) return VERDICT_PASS;
  disk->failures++;
  return EIO;
}

// MARK: Bytes that aren't synced

static Inode *inode_of(FaultDisk *disk, const struct stat *file) {
  for (Inode *inode = disk->inodes; inode; inode = inode->next)
    if (inode->dev == file->st_dev && inode->ino == file->st_ino) return inode;
  return NULL;
}

static Inode *add_inode(FaultDisk *disk, const struct stat *file, const char *path) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return NULL;
  Inode *inode = need(calloc(1, sizeof *inode));
  *inode = (Inode){.fd = fd, .dev = file->st_dev, .ino = file->st_ino, .next = disk->inodes};
  disk->inodes = inode;
  return inode;
}

Inode *disk_inode(FaultDisk *disk, const char *path) {
  struct stat file;
  if (!disk_records(disk) || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return NULL;
  Inode *inode = inode_of(disk, &file);
  return inode ? inode : add_inode(disk, &file, path);
}

Inode *disk_inode_of(FaultDisk *disk, int fd) {
  struct stat file;
  if (!disk_records(disk) || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return NULL;
  return inode_of(disk, &file);
}

static Change *add_change(Inode *inode, int64_t offset) {
  struct stat file;
  if (fstat(inode->fd, &file) != 0) abort();
  Change *change = need(calloc(1, sizeof *change));
  change->offset = offset;
  change->old_size = file.st_size;
  change->before = inode->last;
  inode->last = change;
  return change;
}

static void keep_old(Inode *inode, Change *change, int64_t end) {
  if (end > change->old_size) end = change->old_size;
  if (end <= change->offset) return;
  change->old_length = (size_t)(end - change->offset);
  change->old = need(malloc(change->old_length));
  if (pread(inode->fd, change->old, change->old_length, change->offset) != (ssize_t)change->old_length) abort();
}

void disk_will_write(Inode *inode, int64_t offset, const void *bytes, size_t length) {
  if (!inode || length == 0) return;
  Change *change = add_change(inode, offset);
  change->length = length;
  change->bytes = need(malloc(length));
  memcpy(change->bytes, bytes, length);
  keep_old(inode, change, offset + (int64_t)length);
}

void disk_will_cut(Inode *inode, int64_t size) {
  if (!inode) return;
  Change *change = add_change(inode, size);
  keep_old(inode, change, INT64_MAX);
}

static void free_change(Change *change) {
  free(change->bytes);
  free(change->old);
  free(change);
}

void disk_did_sync(Inode *inode) {
  while (inode && inode->last) {
    Change *before = inode->last->before;
    free_change(inode->last);
    inode->last = before;
  }
}

// MARK: Entries that aren't synced

static int folder_of(const char *path, struct stat *folder) {
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s", path);
  char *slash = strrchr(name, '/');
  if (!slash) return stat(".", folder);
  slash[slash == name ? 1 : 0] = 0;
  return stat(name, folder);
}

void disk_entry(FaultDisk *disk, int kind, const char *path, const char *from, char *kept) {
  struct stat folder;
  if (!disk_records(disk) || folder_of(path, &folder) != 0) return free(kept);
  Entry *entry = need(calloc(1, sizeof *entry));
  *entry = (Entry){
    .kind = kind, .path = copy_of(path), .from = copy_of(from), .kept = kept, .dev = folder.st_dev,
    .ino = folder.st_ino, .before = disk->entries};
  disk->entries = entry;
}

char *disk_keep(FaultDisk *disk, const char *path) {
  if (!disk_records(disk) || access(path, F_OK) != 0) return NULL;
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s/%d", disk->folder, disk->kept++);
  if (link(path, name) != 0) abort();
  return copy_of(name);
}

static void free_entry(Entry *entry) {
  if (entry->kept) unlink(entry->kept);
  free(entry->path);
  free(entry->from);
  free(entry->kept);
  free(entry);
}

void disk_did_sync_folder(FaultDisk *disk, const struct stat *folder) {
  Entry **place = &disk->entries;
  while (*place) {
    Entry *entry = *place;
    if (entry->dev == folder->st_dev && entry->ino == folder->st_ino) {
      *place = entry->before;
      free_entry(entry);
    } else {
      place = &entry->before;
    }
  }
}

void disk_did_sync_folder_of(FaultDisk *disk, const char *path) {
  struct stat folder;
  if (folder_of(path, &folder) == 0) disk_did_sync_folder(disk, &folder);
}

void disk_note_store(FaultDisk *disk, const char *path) {
  for (int i = 0; i < disk->store_count; i++)
    if (strcmp(disk->stores[i], path) == 0) return;
  disk->stores = need(realloc(disk->stores, (size_t)(disk->store_count + 1) * sizeof *disk->stores));
  disk->stores[disk->store_count++] = copy_of(path);
}

void fault_disk_free(FaultDisk *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  while (disk->entries) {
    Entry *before = disk->entries->before;
    free_entry(disk->entries);
    disk->entries = before;
  }
  while (disk->inodes) {
    Inode *next = disk->inodes->next;
    disk_did_sync(disk->inodes);
    close(disk->inodes->fd);
    free(disk->inodes);
    disk->inodes = next;
  }
  forget_names(disk);
  for (int i = 0; i < disk->store_count; i++) free(disk->stores[i]);
  free(disk->stores);
  free(disk->folder);
  pthread_mutex_destroy(&disk->lock);
  free(disk);
}
