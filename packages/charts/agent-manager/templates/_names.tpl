{{/* The namespaces in which agents are managed, each once, as a JSON list. */}}
{{- define "agent-manager.namespaces" -}}
{{- concat (list .Values.kagent.namespace) .Values.additionalNamespaces | uniq | toJson -}}
{{- end -}}

{{/* The names that callers reach the Service by, that of the registration, and those that are given, each once, as a JSON list. */}}
{{- define "agent-manager.hosts" -}}
{{- $name := include "library.fullname" . -}}
{{- $hosts := list $name -}}
{{- $hosts = append $hosts (printf "%s.%s" $name .Release.Namespace) -}}
{{- $hosts = append $hosts (printf "%s.%s.svc" $name .Release.Namespace) -}}
{{- $hosts = append $hosts (printf "%s.%s.svc.%s" $name .Release.Namespace .Values.clusterDomain) -}}
{{- with .Values.muster.mcpServer.url -}}
{{- $hosts = append $hosts (get (urlParse .) "hostname") -}}
{{- end -}}
{{- concat $hosts .Values.allowedHosts | uniq | toJson -}}
{{- end -}}
