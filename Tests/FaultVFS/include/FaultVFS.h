// A disk that fails where a test tells it to: a SQLite VFS, and the file calls of the kernel, over one counter.
//
// Everything goes to real files. While a power failure is planned, each change is kept with what it replaced
// until it is synced; `fault_disk_lose` then leaves what a disk might have kept. What is synced is never really
// synced: a test has no power failure but this one.
#ifndef FERRY_FAULT_VFS_H
#define FERRY_FAULT_VFS_H

#include <stdint.h>
#include <sys/types.h>

#include "StatementMeter.h"

typedef struct FaultDisk FaultDisk;

enum {
  FAULT_NONE = 0,
  // SIGKILL, before the operation.
  FAULT_KILL = 1,
  // SIGKILL with the first half of a write done.
  FAULT_TEAR = 2,
  // Nothing reaches the disk from the operation on, and each one fails.
  FAULT_POWER = 3,
  // EIO for each change.
  FAULT_IO = 4,
  // ENOSPC for each change that takes up room.
  FAULT_FULL = 5,
  // EIO for each read; reads have a count of their own.
  FAULT_READ = 6,
};

// Makes a disk and registers its VFS. `folder` exists, is on the disk that the files are on, and is the disk's
// own: what a power failure may bring back is kept there.
FaultDisk *fault_disk_make(const char *folder);
// Once nobody uses the VFS.
void fault_disk_free(FaultDisk *disk);
const char *fault_disk_vfs(const FaultDisk *disk);

// Lets `count` operations fail from number `first` on, which is 1 for the next one. Starts the counts anew.
void fault_disk_plan(FaultDisk *disk, int fault, int64_t first, int64_t count);
// How many operations were asked for since `fault_disk_plan`, and how many of them have failed.
int64_t fault_disk_changes(FaultDisk *disk);
int64_t fault_disk_reads(FaultDisk *disk);
int64_t fault_disk_failures(FaultDisk *disk);
// What a change was, as "sync ferry.sqlite-wal"; counted from 1. "commit" is the write that begins the last
// frame of a transaction.
const char *fault_disk_change(FaultDisk *disk, int64_t number);

// Leaves what a power failure might: what was synced, and of the rest nothing (0), all (1) or, by the seed, some
// of it, sector by sector (2). Once every file is closed.
void fault_disk_lose(FaultDisk *disk, int survivors, uint64_t seed);

// The file calls, as POSIX has them but that a failure is the negative errno.
int fault_open(FaultDisk *disk, const char *path, int flags, mode_t mode);
int64_t fault_read(FaultDisk *disk, int file, void *bytes, size_t count);
int64_t fault_write(FaultDisk *disk, int file, const void *bytes, size_t count);
int fault_fsync(FaultDisk *disk, int file);
int fault_rename(FaultDisk *disk, const char *from, const char *to);
int fault_link(FaultDisk *disk, const char *from, const char *to);
int fault_unlink(FaultDisk *disk, const char *path);
int fault_mkdir(FaultDisk *disk, const char *path, mode_t mode);
int fault_ftruncate(FaultDisk *disk, int file, int64_t size);

#endif
