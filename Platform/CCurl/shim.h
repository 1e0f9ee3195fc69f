#ifndef FERRY_CCURL_SHIM_H
#define FERRY_CCURL_SHIM_H

#include <curl/curl.h>

// libcurl's functions with a variable number of arguments, once for each kind of argument: Swift can't call them.

typedef size_t (*ferry_curl_bytes)(char *bytes, size_t one, size_t count, void *context);

static inline CURLcode ferry_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ferry_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ferry_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ferry_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ferry_curl_set_bytes(CURL *handle, CURLoption option, ferry_curl_bytes value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ferry_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ferry_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

#endif
