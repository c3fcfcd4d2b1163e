{{/* Names of cluster-scoped objects contain the namespace, so that two releases do not conflict. */}}
{{- define "mcp-kubernetes.clusterMetadata" -}}
name: {{ printf "%s-%s" .Release.Namespace (include "library.fullname" .) | quote }}
labels:
  {{- include "library.labels" . | nindent 2 }}
{{- end -}}

{{/* Name of the MCPServer: with a management cluster, the one that the platform's MCP bundle gives such servers. */}}
{{- define "mcp-kubernetes.serverName" -}}
{{- $server := .Values.mcpServer -}}
{{- if $server.name -}}
{{- $server.name -}}
{{- else if $server.managementCluster -}}
{{- printf "%s-mcp-kubernetes" $server.managementCluster -}}
{{- else -}}
mcp-kubernetes
{{- end -}}
{{- end -}}

{{/* Default labels, then those of the chart, then those of the values, which add and override (§2.3). */}}
{{- define "mcp-kubernetes.serverLabels" -}}
{{- $group := include "library.apiGroup" . -}}
{{- $stamped := dict
  (printf "%s/type" $group) "mcp-kubernetes"
  (include "library.toolGroupLabel" .) "infrastructure" -}}
{{- with .Values.mcpServer.managementCluster -}}
{{- $_ := set $stamped (printf "%s/management-cluster" $group) . -}}
{{- end -}}
{{- $chart := include "library.labels" . | fromYaml -}}
{{- mergeOverwrite (dict) $stamped $chart .Values.mcpServer.labels | include "library.yaml" -}}
{{- end -}}

{{- define "mcp-kubernetes.url" -}}
{{- printf "http://%s.%s.svc.%s:%d/mcp" (include "library.fullname" .) .Release.Namespace .Values.clusterDomain (int .Values.service.port) -}}
{{- end -}}

{{- define "mcp-kubernetes.probe" -}}
tcpSocket:
  port: http
{{ include "library.yaml" . }}
{{- end -}}
