#!/bin/sh
# An MCP server that ignores the end of its input and SIGTERM.
trap '' TERM HUP INT
sh "$(dirname "$0")/../../bench/servers/frail.sh"
while :; do sleep 1; done
