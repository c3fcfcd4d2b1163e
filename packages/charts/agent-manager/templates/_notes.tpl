{{/* What is said after an installation. */}}

{{- define "agent-manager.notes" -}}
agent-manager {{ .Chart.AppVersion }} manages agents in: {{ include "agent-manager.namespaces" . | fromJsonArray | join ", " }}.

  kubectl --namespace {{ .Release.Namespace }} rollout status deployment/{{ include "library.fullname" . }}
  kubectl --namespace {{ .Release.Namespace }} port-forward service/{{ include "library.fullname" . }} 8080:{{ .Values.service.port }}
  curl http://127.0.0.1:8080/readyz
{{ if .Values.muster.mcpServer.enabled }}
The gateway serves its tools as x_{{ .Values.muster.mcpServer.name }}_<tool>. A gateway that reads files only, as 5.13 does, needs the MCPServer {{ .Values.muster.mcpServer.name }} among its values mcpservers too.
{{- else }}
It is not registered at the gateway: set muster.mcpServer.enabled=true where the gateway's MCPServer kind is installed.
{{- end }}
{{- if not .Values.rbac.create }}

rbac.create is false: the account {{ include "library.serviceAccountName" . }} needs its rights in each of these namespaces from someone else.
{{- end }}
{{- end -}}
