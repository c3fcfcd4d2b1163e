{{/* The Service of the gateway in the namespace of the release: that of a release of its own, or of the gateway in the same release. */}}
{{- define "portal.gatewayService" -}}
{{- if .Chart.IsRoot -}}
gateway
{{- else if contains "gateway" .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-gateway" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The MCP endpoint of the gateway. */}}
{{- define "portal.gatewayUrl" -}}
{{- default (printf "http://%s.%s.svc.%s:%s/mcp" (include "portal.gatewayService" .) .Release.Namespace .Values.clusterDomain (include "portal.gatewayPort" .)) .Values.muster.url -}}
{{- end -}}

{{/* Host and path of the public URL, which routes use. */}}
{{- define "portal.publicHost" -}}
{{- get (urlParse .Values.publicUrl) "hostname" -}}
{{- end -}}

{{- define "portal.publicPath" -}}
{{- default "/" (get (urlParse .Values.publicUrl) "path") -}}
{{- end -}}
