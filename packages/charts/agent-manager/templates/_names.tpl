{{/* The managed namespaces without duplicates, as a JSON list. */}}
{{- define "agent-manager.namespaces" -}}
{{- concat (list (default .Release.Namespace .Values.kagent.namespace)) .Values.additionalNamespaces | uniq | toJson -}}
{{- end -}}

{{/* Host names of the Service, of the registration and of the values without duplicates, as a JSON list. */}}
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
