{{/* Returns a text when the RemoteMCPServer is rendered. */}}
{{- define "gateway.hasRemoteMCPServer" -}}
{{- $enabled := .Values.remoteMCPServer.enabled -}}
{{- if ternary (.Capabilities.APIVersions.Has "kagent.dev/v1alpha2") $enabled (eq (toString $enabled) "auto") -}}true{{- end -}}
{{- end -}}

{{/* Parts of the additional objects. */}}

{{- define "gateway.routeTimeouts" -}}
{{- $timeouts := dict -}}
{{- with .Values.httpRoute.timeouts.request -}}{{- $_ := set $timeouts "request" . -}}{{- end -}}
{{- with .Values.httpRoute.timeouts.backendRequest -}}{{- $_ := set $timeouts "backendRequest" . -}}{{- end -}}
{{- with $timeouts -}}{{- include "library.yaml" . -}}{{- end -}}
{{- end -}}

{{- define "gateway.clusterUrl" -}}
{{- printf "http://%s.%s.svc.%s:%d/mcp" (include "library.fullname" .) .Release.Namespace .Values.clusterDomain (int .Values.service.port) -}}
{{- end -}}

{{/* The timeout of callers is at least that of the gateway. */}}
{{- define "gateway.requestTimeout" -}}
{{- printf "%ds" ((.Values.muster.http).requestTimeoutSeconds | default (include "gateway.defaultRequestTimeoutSeconds" .) | int) -}}
{{- end -}}

{{/* Prefixes of paths that browsers and clients need for signing in, as a JSON list; empty without the URL of clients. */}}
{{- define "gateway.signInPaths" -}}
{{- $paths := list -}}
{{- if (.Values.muster.http).publicUrl -}}
{{- $paths = list "/oauth" "/.well-known/oauth-protected-resource" "/.well-known/oauth-authorization-server" "/.well-known/openid-configuration" "/.well-known/oauth-client" -}}
{{- end -}}
{{- toJson $paths -}}
{{- end -}}

{{- define "gateway.ingressBackend" -}}
service:
  name: {{ include "library.fullname" . | quote }}
  port:
    name: http
{{- end -}}
