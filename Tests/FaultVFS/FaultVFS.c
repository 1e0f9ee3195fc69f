// SQLite's files on a disk that fails: the default VFS, with a verdict before each operation.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "FaultDisk.h"

// The default VFS's own file follows in memory.
typedef struct {
  sqlite3_file base;
  FaultDisk *disk;
  char *path;
  // Of a log or a rollback journal: SQLite's VFS syncs the folder with the first sync after an open.
  int syncs_folder;
} FaultFile;

#define DISK(vfs) ((FaultDisk *)(vfs)->pAppData)
#define FILE_OF(file) ((FaultFile *)(file))
#define BASE(file) ((sqlite3_file *)((char *)(file) + sizeof(FaultFile)))

static sqlite3_vfs *base_vfs(void) { return sqlite3_vfs_find("unix"); }

static Inode *inode(FaultFile *file) { return file->path ? disk_inode(file->disk, file->path) : NULL; }

static int begin(FaultFile *file, const char *doing, int takes_room) {
  pthread_mutex_lock(&file->disk->lock);
  int verdict = file->path ? disk_verdict(file->disk, doing, file->path, takes_room) : VERDICT_PASS;
  if (verdict > 0) errno = verdict;  // SQLite asks for it.
  return verdict;
}

static int end(FaultFile *file, int code) {
  pthread_mutex_unlock(&file->disk->lock);
  return code;
}

static int file_close(sqlite3_file *handle) {
  FaultFile *file = FILE_OF(handle);
  int code = BASE(handle)->pMethods->xClose(BASE(handle));
  free(file->path);
  return code;
}

static int file_read(sqlite3_file *handle, void *bytes, int count, sqlite3_int64 offset) {
  FaultFile *file = FILE_OF(handle);
  pthread_mutex_lock(&file->disk->lock);
  int verdict = file->path ? disk_read_verdict(file->disk) : VERDICT_PASS;
  pthread_mutex_unlock(&file->disk->lock);
  if (verdict != VERDICT_PASS) return SQLITE_IOERR_READ;
  return BASE(handle)->pMethods->xRead(BASE(handle), bytes, count, offset);
}

// A log's frame begins with 24 bytes; the second word is nothing but in a transaction's last one.
static const char *doing_write(const FaultFile *file, const void *bytes, int count) {
  static const unsigned char nothing[4] = {0};
  size_t length = file->path ? strlen(file->path) : 0;
  int is_log = length > 4 && strcmp(file->path + length - 4, "-wal") == 0;
  return is_log && count == 24 && memcmp((const char *)bytes + 4, nothing, 4) != 0 ? "commit" : "write";
}

static int file_write(sqlite3_file *handle, const void *bytes, int count, sqlite3_int64 offset) {
  FaultFile *file = FILE_OF(handle);
  sqlite3_int64 size = 0;
  BASE(handle)->pMethods->xFileSize(BASE(handle), &size);
  int verdict = begin(file, doing_write(file, bytes, count), offset + count > size);
  if (verdict == VERDICT_TEAR) {
    BASE(handle)->pMethods->xWrite(BASE(handle), bytes, count / 2, offset);
    disk_die();
  }
  if (verdict != VERDICT_PASS) return end(file, verdict == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE);
  disk_will_write(inode(file), offset, bytes, (size_t)count);
  return end(file, BASE(handle)->pMethods->xWrite(BASE(handle), bytes, count, offset));
}

static int file_truncate(sqlite3_file *handle, sqlite3_int64 size) {
  FaultFile *file = FILE_OF(handle);
  int verdict = begin(file, "truncate", 0);
  if (verdict == VERDICT_TEAR) disk_die();
  if (verdict != VERDICT_PASS) return end(file, SQLITE_IOERR_TRUNCATE);
  disk_will_cut(inode(file), size);
  return end(file, BASE(handle)->pMethods->xTruncate(BASE(handle), size));
}

static int file_sync(sqlite3_file *handle, int flags) {
  FaultFile *file = FILE_OF(handle);
  (void)flags;
  int verdict = begin(file, "sync", 0);
  if (verdict == VERDICT_TEAR) disk_die();
  if (verdict != VERDICT_PASS) return end(file, SQLITE_IOERR_FSYNC);
  disk_did_sync(inode(file));
  if (file->syncs_folder) disk_did_sync_folder_of(file->disk, file->path);
  file->syncs_folder = 0;
  return end(file, SQLITE_OK);
}

static int file_size(sqlite3_file *handle, sqlite3_int64 *size) {
  return BASE(handle)->pMethods->xFileSize(BASE(handle), size);
}
static int file_lock(sqlite3_file *handle, int level) { return BASE(handle)->pMethods->xLock(BASE(handle), level); }
static int file_unlock(sqlite3_file *handle, int level) {
  return BASE(handle)->pMethods->xUnlock(BASE(handle), level);
}
static int file_check_lock(sqlite3_file *handle, int *out) {
  return BASE(handle)->pMethods->xCheckReservedLock(BASE(handle), out);
}
static int file_control(sqlite3_file *handle, int what, void *argument) {
  return BASE(handle)->pMethods->xFileControl(BASE(handle), what, argument);
}
static int file_sector_size(sqlite3_file *handle) { return BASE(handle)->pMethods->xSectorSize(BASE(handle)); }
static int file_characteristics(sqlite3_file *handle) {
  return BASE(handle)->pMethods->xDeviceCharacteristics(BASE(handle));
}
static int file_shm_map(sqlite3_file *handle, int page, int size, int extend, void volatile **out) {
  return BASE(handle)->pMethods->xShmMap(BASE(handle), page, size, extend, out);
}
static int file_shm_lock(sqlite3_file *handle, int offset, int count, int flags) {
  return BASE(handle)->pMethods->xShmLock(BASE(handle), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *handle) { BASE(handle)->pMethods->xShmBarrier(BASE(handle)); }
static int file_shm_unmap(sqlite3_file *handle, int removes) {
  return BASE(handle)->pMethods->xShmUnmap(BASE(handle), removes);
}

// Version 2: without memory mapping, which no verdict could come before.
static const sqlite3_io_methods methods = {
  2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock,
  file_check_lock, file_control, file_sector_size, file_characteristics, file_shm_map, file_shm_lock,
  file_shm_barrier, file_shm_unmap, NULL, NULL,
};

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *handle, int flags, int *out) {
  FaultDisk *disk = DISK(vfs);
  FaultFile *file = FILE_OF(handle);
  memset(file, 0, sizeof *file);
  file->disk = disk;
  int is_new = path && access(path, F_OK) != 0;
  pthread_mutex_lock(&disk->lock);
  int verdict = VERDICT_PASS;
  if (is_new && (flags & SQLITE_OPEN_CREATE)) verdict = disk_verdict(disk, "open", path, 1);
  else if (path) verdict = disk_read_verdict(disk);
  if (verdict == VERDICT_TEAR) disk_die();
  if (verdict != VERDICT_PASS) {
    // As the default VFS has it, whatever the reason.
    end(file, 0);
    errno = verdict;
    return SQLITE_CANTOPEN;
  }
  int code = base_vfs()->xOpen(base_vfs(), path, BASE(handle), flags, out);
  if (BASE(handle)->pMethods) file->base.pMethods = &methods;
  if (code != SQLITE_OK || !path) return end(file, code);
  file->path = strdup(path);
  int kind = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL);
  file->syncs_folder = kind && (flags & SQLITE_OPEN_CREATE);
  sqlite3_int64 size = 0;
  // The store makes its file itself, empty, before SQLite sees it.
  int is_fresh = (flags & SQLITE_OPEN_MAIN_DB) && file_size(handle, &size) == SQLITE_OK && size == 0;
  if (flags & SQLITE_OPEN_MAIN_DB) disk_note_store(disk, path);
  Inode *known = inode(file);
  if (is_new || (is_fresh && known && !known->last)) disk_entry(disk, ENTRY_MADE, path, NULL, NULL);
  return end(file, code);
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  FaultDisk *disk = DISK(vfs);
  if (access(path, F_OK) != 0) return base_vfs()->xDelete(base_vfs(), path, 0);
  pthread_mutex_lock(&disk->lock);
  int verdict = disk_verdict(disk, "unlink", path, 0);
  if (verdict == VERDICT_TEAR) disk_die();
  int code = SQLITE_IOERR_DELETE;
  if (verdict == VERDICT_PASS) {
    char *kept = disk_keep(disk, path);
    code = base_vfs()->xDelete(base_vfs(), path, 0);
    if (code == SQLITE_OK) disk_entry(disk, ENTRY_REMOVED, path, NULL, kept);
    else free(kept);
    if (code == SQLITE_OK && syncs_folder) disk_did_sync_folder_of(disk, path);
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *out) {
  (void)vfs;
  return base_vfs()->xAccess(base_vfs(), path, flags, out);
}
static int vfs_full_path(sqlite3_vfs *vfs, const char *path, int room, char *out) {
  (void)vfs;
  return base_vfs()->xFullPathname(base_vfs(), path, room, out);
}
static int vfs_randomness(sqlite3_vfs *vfs, int count, char *out) {
  (void)vfs;
  return base_vfs()->xRandomness(base_vfs(), count, out);
}
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return base_vfs()->xSleep(base_vfs(), microseconds);
}
static int vfs_time(sqlite3_vfs *vfs, double *out) {
  (void)vfs;
  return base_vfs()->xCurrentTime(base_vfs(), out);
}
static int vfs_last_error(sqlite3_vfs *vfs, int room, char *out) {
  (void)vfs;
  return base_vfs()->xGetLastError(base_vfs(), room, out);
}

void vfs_prepare(FaultDisk *disk) {
  disk->vfs = (sqlite3_vfs){
    .iVersion = 1, .szOsFile = (int)sizeof(FaultFile) + base_vfs()->szOsFile,
    .mxPathname = base_vfs()->mxPathname, .zName = disk->name, .pAppData = disk, .xOpen = vfs_open,
    .xDelete = vfs_delete, .xAccess = vfs_access, .xFullPathname = vfs_full_path,
    .xRandomness = vfs_randomness, .xSleep = vfs_sleep, .xCurrentTime = vfs_time,
    .xGetLastError = vfs_last_error,
  };
}
