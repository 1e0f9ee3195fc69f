include Tuist-free-Makefile
