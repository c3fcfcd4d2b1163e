{{/* Parts of the objects around the Deployment. */}}

{{- define "gateway.utilizationMetric" -}}
- type: Resource
  resource:
    name: {{ .resource }}
    target:
      type: Utilization
      averageUtilization: {{ .target }}
{{- end -}}

{{/*
Metadata of an object around the Deployment: `dict "root" $ "values" .Values.ingress`. Of the values, which may be left
out, labels and annotations are added, and name and namespace win.
*/}}
{{- define "gateway.metadata" -}}
{{- $values := default dict .values -}}
name: {{ default (include "library.fullname" .root) $values.name | quote }}
namespace: {{ default .root.Release.Namespace $values.namespace | quote }}
labels:
  {{- merge (dict) (default dict $values.labels) (include "library.labels" .root | fromYaml) | include "library.yaml" | nindent 2 }}
{{- with $values.annotations }}
annotations:
  {{- include "library.yaml" . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A number of pods as a number, a share of them as a text; 1 when unset. Some releases of Helm have numbers as texts. */}}
{{- define "gateway.podsOrShare" -}}
{{- if kindIs "invalid" . -}}1{{- else if hasSuffix "%" (toString .) -}}{{- quote . -}}{{- else -}}{{- int . -}}{{- end -}}
{{- end -}}

{{- define "gateway.routeTimeouts" -}}
{{- $timeouts := dict -}}
{{- with .Values.httpRoute.timeouts.request -}}{{- $_ := set $timeouts "request" . -}}{{- end -}}
{{- with .Values.httpRoute.timeouts.backendRequest -}}{{- $_ := set $timeouts "backendRequest" . -}}{{- end -}}
{{- with $timeouts -}}{{- include "library.yaml" . -}}{{- end -}}
{{- end -}}

{{- define "gateway.clusterUrl" -}}
{{- printf "http://%s.%s.svc.%s:%d/mcp" (include "library.fullname" .) .Release.Namespace .Values.clusterDomain (int .Values.service.port) -}}
{{- end -}}

{{/* No caller gives up before the gateway does. */}}
{{- define "gateway.requestTimeout" -}}
{{- printf "%ds" ((.Values.muster.http).requestTimeoutSeconds | default (include "gateway.defaultRequestTimeoutSeconds" .) | int) -}}
{{- end -}}
