{{/* Returns the first problem of the values of the fragment `scaling`, as one sentence. Each takes the root context. */}}

{{- define "library.scalingProblem" -}}
{{- $scaling := .Values.autoscaling -}}
{{- if $scaling.enabled -}}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- printf "autoscaling.minReplicas %d is above autoscaling.maxReplicas %d" (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- else if not (or (int $scaling.targetCPUUtilizationPercentage) (int $scaling.targetMemoryUtilizationPercentage) $scaling.metrics) -}}
autoscaling.enabled needs something to follow: set autoscaling.targetCPUUtilizationPercentage, autoscaling.targetMemoryUtilizationPercentage or autoscaling.metrics
{{- else -}}
{{- include "library.utilizationProblem" (dict "root" . "resource" "cpu" "key" "targetCPUUtilizationPercentage") | default (include "library.utilizationProblem" (dict "root" . "resource" "memory" "key" "targetMemoryUtilizationPercentage")) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Utilization is a percentage of the request; without a request the limit is used. */}}
{{- define "library.utilizationProblem" -}}
{{- $resources := .root.Values.resources -}}
{{- if int (index .root.Values.autoscaling .key) -}}
{{- if not (or (hasKey (default dict $resources.requests) .resource) (hasKey (default dict $resources.limits) .resource)) -}}
{{- printf "autoscaling.%s is a share of resources.requests.%s, which is not set" .key .resource -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "library.fewestPods" -}}
{{- ternary .Values.autoscaling.minReplicas .Values.replicas .Values.autoscaling.enabled | int -}}
{{- end -}}

{{- define "library.disruptionProblem" -}}
{{- $budget := .Values.podDisruptionBudget -}}
{{- $pods := include "library.fewestPods" . | int -}}
{{- if $budget.enabled -}}
{{- $hasLeast := not (kindIs "invalid" $budget.minAvailable) -}}
{{- if and $hasLeast (not (kindIs "invalid" $budget.maxUnavailable)) -}}
podDisruptionBudget.minAvailable and podDisruptionBudget.maxUnavailable exclude each other: set one of them
{{- else if has (toString $budget.maxUnavailable) (list "0" "0%") -}}
{{- printf "podDisruptionBudget.maxUnavailable %v evicts no pod, so no node can be drained" $budget.maxUnavailable -}}
{{- else if and $hasLeast $pods -}}
{{- $needed := include "library.neededPods" (dict "pods" $pods "value" $budget.minAvailable) | int -}}
{{- if ge $needed $pods -}}
{{- printf "podDisruptionBudget.minAvailable %v keeps %d of %d pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods" $budget.minAvailable $needed $pods -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Kubernetes rounds percentages up. */}}
{{- define "library.neededPods" -}}
{{- if hasSuffix "%" (toString .value) -}}
{{- div (add (mul (trimSuffix "%" .value | int) .pods) 99) 100 -}}
{{- else -}}
{{- int .value -}}
{{- end -}}
{{- end -}}
