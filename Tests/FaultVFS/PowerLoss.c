// What a disk has after a power failure.
#define _XOPEN_SOURCE 700
#include "FaultDisk.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

static uint64_t next(uint64_t *state) {
  uint64_t word = *state += 0x9e3779b97f4a7c15;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

static void put(int fd, const unsigned char *bytes, size_t length, int64_t offset) {
  if (length > 0 && pwrite(fd, bytes, length, offset) != (ssize_t)length) abort();
}

static void cut(int fd, int64_t size) {
  if (ftruncate(fd, size) != 0) abort();
}

static void undo(int fd, const Change *change) {
  put(fd, change->old, change->old_length, change->offset);
  cut(fd, change->old_size);
}

static void redo(int fd, const Change *change) {
  if (change->bytes) put(fd, change->bytes, change->length, change->offset);
  else cut(fd, change->offset);
}

// Some sectors of a write arrive; a disk writes a sector whole.
static void redo_some(int fd, const Change *change, uint64_t *seed) {
  switch (next(seed) % 4) {
  case 0: return;
  case 1: return redo(fd, change);
  }
  if (!change->bytes) return;
  for (size_t from = 0; from < change->length;) {
    size_t to = (size_t)((change->offset + (int64_t)from) / SECTOR + 1) * SECTOR - (size_t)change->offset;
    if (to > change->length) to = change->length;
    if (next(seed) & 1) put(fd, change->bytes + from, to - from, change->offset + (int64_t)from);
    from = to;
  }
}

static void lose_bytes(Inode *inode, int survivors, uint64_t *seed) {
  size_t count = 0;
  for (Change *change = inode->last; change; change = change->before) count++;
  if (count == 0) return;
  Change **changes = malloc(count * sizeof *changes);
  if (!changes) abort();
  size_t index = count;
  for (Change *change = inode->last; change; change = change->before) changes[--index] = change;
  for (size_t i = count; i > 0; i--) undo(inode->fd, changes[i - 1]);
  for (size_t i = 0; i < count && survivors > 0; i++) {
    if (survivors == 1) redo(inode->fd, changes[i]);
    else redo_some(inode->fd, changes[i], seed);
  }
  free(changes);
}

static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *walk) {
  (void)file, (void)kind, (void)walk;
  return remove(path);
}

static void take_back(const Entry *entry) {
  switch (entry->kind) {
  case ENTRY_MADE: unlink(entry->path); break;
  case ENTRY_FOLDER: nftw(entry->path, remove_one, 8, FTW_DEPTH | FTW_PHYS); break;
  case ENTRY_RENAMED:
    rename(entry->path, entry->from);
    if (entry->kept && link(entry->kept, entry->path) != 0) abort();
    break;
  case ENTRY_REMOVED:
    if (entry->kept && link(entry->kept, entry->path) != 0) abort();
    break;
  }
}

// Entries come to the disk in the order in which they were changed.
static void lose_entries(FaultDisk *disk, int survivors, uint64_t *seed) {
  uint64_t count = 0;
  for (Entry *entry = disk->entries; entry; entry = entry->before) count++;
  uint64_t lost = survivors == 0 ? count : survivors == 1 ? 0 : next(seed) % (count + 1);
  for (Entry *entry = disk->entries; entry && lost > 0; entry = entry->before, lost--) take_back(entry);
}

void fault_disk_lose(FaultDisk *disk, int survivors, uint64_t seed) {
  pthread_mutex_lock(&disk->lock);
  disk->is_dead = 1;
  // In the order in which they were opened: the seed must give the same again.
  for (Inode *inode = disk->inodes; inode; inode = inode->next) lose_bytes(inode, survivors, &seed);
  lose_entries(disk, survivors, &seed);
  for (int i = 0; i < disk->store_count; i++) {
    size_t room = strlen(disk->stores[i]) + 5;
    char *index = malloc(room);
    if (!index) abort();
    snprintf(index, room, "%s-shm", disk->stores[i]);
    unlink(index);
    free(index);
  }
  pthread_mutex_unlock(&disk->lock);
}
