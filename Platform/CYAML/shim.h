#ifndef FERRY_CYAML_SHIM_H
#define FERRY_CYAML_SHIM_H

#include <yaml.h>

#endif
