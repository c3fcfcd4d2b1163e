{{/* The port for probes and metrics: `muster.health`. Each takes the root context. */}}

{{/* The number of the port; empty when it is disabled, because the port of the endpoint then serves probes and metrics. */}}
{{- define "gateway.healthPort" -}}
{{- $health := .Values.muster.health | default dict -}}
{{- if or $health.enabled (not (hasKey $health "enabled")) -}}
{{- $health.port | default (include "gateway.defaultHealthPort" .) | int -}}
{{- end -}}
{{- end -}}

{{/* The name of the container port that serves probes and metrics. */}}
{{- define "gateway.healthPortName" -}}
{{- if include "gateway.healthPort" . -}}health{{- else -}}http{{- end -}}
{{- end -}}

{{- define "gateway.healthProblem" -}}
{{- $health := .Values.muster.health | default dict -}}
{{- with include "gateway.healthPort" . -}}
{{- if include "gateway.isLoopback" $health.host -}}
{{- printf "muster.health.host is %q, which is not reachable from outside the pod: omit it" $health.host -}}
{{- else if and (hasKey $health "port") (not $health.port) -}}
muster.health.port is 0, but probes need a port that they know: omit it
{{- else if eq . (include "gateway.port" $) -}}
{{- printf "muster.health.port and muster.http.port are both %s (defaults %s and %s): set one of them to another port" . (include "gateway.defaultHealthPort" $) (include "gateway.defaultPort" $) -}}
{{- end -}}
{{- end -}}
{{- end -}}
