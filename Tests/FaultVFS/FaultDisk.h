// What the VFS and the file calls share.
#ifndef FERRY_FAULT_DISK_H
#define FERRY_FAULT_DISK_H

#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "FaultVFS.h"

// A change of a file's bytes that isn't synced, and what it replaced.
typedef struct Change {
  int64_t offset;
  size_t length;          // 0 with `bytes` nil: the file was cut to `offset`
  unsigned char *bytes;
  int64_t old_size;
  size_t old_length;
  unsigned char *old;
  struct Change *before;
} Change;

// A file, whatever its name is. `fd` is closed only once SQLite has closed the file: closing it drops all locks
// that the process has on it.
typedef struct Inode {
  int fd;
  dev_t dev;
  ino_t ino;
  Change *last;
  struct Inode *next;
} Inode;

enum { ENTRY_MADE, ENTRY_FOLDER, ENTRY_RENAMED, ENTRY_REMOVED };

// A change of a folder's entries that isn't synced. `kept` names what was there before.
typedef struct Entry {
  int kind;
  char *path, *from, *kept;
  dev_t dev;
  ino_t ino;
  struct Entry *before;
} Entry;

typedef struct FaultDisk {
  sqlite3_vfs vfs;
  char name[32];
  char *folder;
  pthread_mutex_t lock;
  int fault;
  int64_t first, count, changes, reads, failures;
  int is_dead;
  char **names;
  int64_t named;
  int kept;
  Inode *inodes;
  Entry *entries;
  char **stores;
  int store_count;
} FaultDisk;

enum { VERDICT_PASS = 0, VERDICT_TEAR = -1 };   // or an errno

// What becomes of the next change of `path`. With the lock held, as all below.
int disk_verdict(FaultDisk *disk, const char *doing, const char *path, int takes_room);
int disk_read_verdict(FaultDisk *disk);
void disk_die(void);
int disk_records(const FaultDisk *disk);

Inode *disk_inode(FaultDisk *disk, const char *path);
Inode *disk_inode_of(FaultDisk *disk, int fd);
void disk_will_write(Inode *inode, int64_t offset, const void *bytes, size_t length);
void disk_will_cut(Inode *inode, int64_t size);
void disk_did_sync(Inode *inode);

void disk_entry(FaultDisk *disk, int kind, const char *path, const char *from, char *kept);
char *disk_keep(FaultDisk *disk, const char *path);
void disk_did_sync_folder(FaultDisk *disk, const struct stat *folder);
void disk_did_sync_folder_of(FaultDisk *disk, const char *path);
void disk_note_store(FaultDisk *disk, const char *path);

void vfs_prepare(FaultDisk *disk);

#endif
