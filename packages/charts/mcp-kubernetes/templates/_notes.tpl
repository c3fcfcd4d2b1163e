{{/* The content of NOTES.txt. */}}

{{- define "mcp-kubernetes.notes" -}}
The server answers MCP at {{ include "mcp-kubernetes.url" . }}.
{{- if .Values.mcpServer.enabled }}
It is registered as the MCPServer {{ include "mcp-kubernetes.serverName" . }}. A gateway without muster.kubernetes.enabled reads files: add it to its values mcpservers there.
{{- end }}
{{- if not .Values.rbac.create }}
It has no permissions in the cluster until a role is bound to the account {{ include "library.serviceAccountName" . }}.
{{- end }}
{{- end -}}
