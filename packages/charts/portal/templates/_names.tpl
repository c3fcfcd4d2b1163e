{{/* The MCP endpoint of the gateway. */}}
{{- define "portal.gatewayUrl" -}}
{{- default (printf "http://gateway.%s.svc.%s:%s/mcp" .Release.Namespace .Values.clusterDomain (include "portal.gatewayPort" .)) .Values.muster.url -}}
{{- end -}}

{{/* Host and path of the public URL, which routes use. */}}
{{- define "portal.publicHost" -}}
{{- get (urlParse .Values.publicUrl) "hostname" -}}
{{- end -}}

{{- define "portal.publicPath" -}}
{{- default "/" (get (urlParse .Values.publicUrl) "path") -}}
{{- end -}}
