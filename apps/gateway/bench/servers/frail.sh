#!/bin/sh
# An MCP server of the 2025 revisions that is up within milliseconds.
while IFS= read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line##*'"id":'}
  id=${id%%[,\}]*}
  answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
  case $line in
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"frail","version":"1.0.0"}}' ;;
    *'"tools/list"'*) answer '"result":{"tools":[{"name":"one","inputSchema":{"type":"object"}}]}' ;;
    *'"ping"'*) answer '"result":{}' ;;
    *) answer '"error":{"code":-32601,"message":"Method not found"}' ;;
  esac
done
