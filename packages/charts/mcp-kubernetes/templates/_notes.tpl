{{/* What is said after an installation. */}}

{{- define "mcp-kubernetes.notes" -}}
The server answers MCP at {{ include "mcp-kubernetes.url" . }}.
{{- if .Values.mcpServer.enabled }}
It is registered as the MCPServer {{ include "mcp-kubernetes.serverName" . }}. A gateway that reads files only, as 5.13 does, needs it among its values mcpservers too.
{{- end }}
{{- if not .Values.rbac.create }}
It has no rights in the cluster until someone binds a role to the account {{ include "library.serviceAccountName" . }}.
{{- end }}
{{- end -}}
