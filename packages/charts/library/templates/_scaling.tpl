{{/* Objects for the number of pods of a workload, and their problems. Each takes the root context and reads the values of the fragment `scaling`. */}}

{{/* The HorizontalPodAutoscaler; nothing unless `autoscaling.enabled`. */}}
{{- define "library.autoscaler" -}}
{{- if .Values.autoscaling.enabled -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "library.metadataWith" (dict "root" .) | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "library.fullname" . | quote }}
  minReplicas: {{ int .Values.autoscaling.minReplicas }}
  maxReplicas: {{ int .Values.autoscaling.maxReplicas }}
  metrics:
    {{- with int .Values.autoscaling.targetCPUUtilizationPercentage }}
    {{- include "library.utilizationMetric" (dict "resource" "cpu" "target" .) | nindent 4 }}
    {{- end }}
    {{- with int .Values.autoscaling.targetMemoryUtilizationPercentage }}
    {{- include "library.utilizationMetric" (dict "resource" "memory" "target" .) | nindent 4 }}
    {{- end }}
    {{- with .Values.autoscaling.metrics }}
    {{- include "library.yaml" . | nindent 4 }}
    {{- end }}
  {{- with .Values.autoscaling.behavior }}
  behavior:
    {{- include "library.yaml" . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* The PodDisruptionBudget; nothing unless `podDisruptionBudget.enabled`. */}}
{{- define "library.disruptionBudget" -}}
{{- if .Values.podDisruptionBudget.enabled -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "library.metadataWith" (dict "root" .) | nindent 2 }}
spec:
  {{- if not (kindIs "invalid" .Values.podDisruptionBudget.minAvailable) }}
  minAvailable: {{ include "library.podsOrShare" .Values.podDisruptionBudget.minAvailable }}
  {{- else }}
  maxUnavailable: {{ include "library.podsOrShare" .Values.podDisruptionBudget.maxUnavailable }}
  {{- end }}
  # A pod that is not ready serves nobody, and must not hold up a drain.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "library.selectorLabels" . | nindent 6 }}
{{- end -}}
{{- end -}}

{{- define "library.utilizationMetric" -}}
- type: Resource
  resource:
    name: {{ .resource }}
    target:
      type: Utilization
      averageUtilization: {{ .target }}
{{- end -}}

{{/* A number of pods as a number, a percentage as a text; 1 when unset. Some Helm versions pass numbers as texts. */}}
{{- define "library.podsOrShare" -}}
{{- if kindIs "invalid" . -}}1{{- else if hasSuffix "%" (toString .) -}}{{- quote . -}}{{- else -}}{{- int . -}}{{- end -}}
{{- end -}}
