{{/* Registration of a managed service: the MCPServer of agent-manager and of model-manager. */}}

{{/*
The MCPServer, or nothing while `muster.mcpServer.enabled` is false. Takes a dict:
  context  the root context of the chart
  type     kind of service: the value of the label `<apiGroup>/type`
  service  name of the Service that the url leads to unless `muster.mcpServer.url` is set
*/}}
{{- define "library.registration" -}}
{{- $server := .context.Values.muster.mcpServer -}}
{{- if $server.enabled -}}
apiVersion: {{ printf "%s/v1alpha1" (include "library.apiGroup" .context) | quote }}
kind: MCPServer
metadata:
  name: {{ $server.name | quote }}
  namespace: {{ .context.Release.Namespace | quote }}
  labels:
    {{- include "library.registration.labels" . | nindent 4 }}
spec:
  autoStart: {{ $server.autoStart }}
  type: streamable-http
  url: {{ default (include "library.registration.url" .) $server.url | quote }}
  {{- with $server.description }}
  description: {{ . | quote }}
  {{- end }}
  {{- /* The refusals of the service say more than those of the gateway. */}}
  checkArguments: false
  {{- if .context.Values.oauth.enabled }}
  auth:
    type: oauth
    forwardToken: {{ $server.auth.forwardToken }}
    {{- with $server.auth.requiredAudiences }}
    requiredAudiences:
      {{- range . }}
      - {{ . | quote }}
      {{- end }}
    {{- end }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* Default labels, then those of the chart, then those of the values, which add and override (§2.3). */}}
{{- define "library.registration.labels" -}}
{{- $labels := dict
  (printf "%s/type" (include "library.apiGroup" .context)) .type
  (include "library.toolGroupLabel" .context) "agent-platform" -}}
{{- range $over := list (include "library.labels" .context | fromYaml) .context.Values.muster.mcpServer.labels -}}
{{- range $key, $value := $over -}}
{{- $_ := set $labels $key $value -}}
{{- end -}}
{{- end -}}
{{- $lines := list -}}
{{- range $key, $value := $labels -}}
{{- $lines = append $lines (printf "%q: %q" $key $value) -}}
{{- end -}}
{{- join "\n" $lines -}}
{{- end -}}

{{- define "library.registration.url" -}}
{{- $values := .context.Values -}}
{{- printf "http://%s.%s.svc.%s:%d/mcp" .service .context.Release.Namespace $values.clusterDomain (int $values.service.port) -}}
{{- end -}}
