{{/*
Returns the first invalid combination of fields of a workflow, with the text of the gateway; empty without problems. The schema validates single fields. Takes the root context.
*/}}

{{- define "gateway.stepsProblem" -}}
{{- $path := include "library.valuesPath" . -}}
{{- $problem := "" -}}
{{- range $name, $workflow := .Values.workflows -}}
{{- if not $problem -}}
{{- with include "gateway.workflowProblem" $workflow.spec -}}
{{- $problem = printf "%sworkflows.%s.spec.%s" $path $name . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Parameter: the spec. */}}
{{- define "gateway.workflowProblem" -}}
{{- if not .steps -}}steps: workflow must have at least one step
{{- else -}}
{{- $problem := "" -}}
{{- range $index, $step := .steps -}}
{{- if not $problem -}}
{{- $problem = include "gateway.stepProblem" (dict "at" (printf "steps[%d]" $index) "step" $step) -}}
{{- end -}}
{{- end -}}
{{- $problem | default (include "gateway.subStepsProblem" (dict "at" "onFailure" "steps" .onFailure)) -}}
{{- end -}}
{{- end -}}

{{/* Parameters: `at`, the path of the step, and `step`. */}}
{{- define "gateway.stepProblem" -}}
{{- $at := .at -}}
{{- with .step -}}
{{- $loop := default dict .forEach -}}
{{- if not (or (hasKey . "tool") (hasKey . "forEach") (hasKey . "parallel")) -}}
{{- $at }}: one of tool, forEach, or parallel is required
{{- else if and (hasKey . "tool") (or (hasKey . "forEach") (hasKey . "parallel")) -}}
{{- $at }}.tool: tool is mutually exclusive with forEach/parallel
{{- else if and (hasKey . "forEach") (hasKey . "parallel") -}}
{{- $at }}.forEach: forEach and parallel are mutually exclusive
{{- else if and (hasKey . "forEach") (not $loop.steps) -}}
{{- $at }}.forEach.steps: forEach.steps must contain at least one sub-step
{{- else if and (hasKey . "parallel") (not .parallel) -}}
{{- $at }}.parallel: parallel must contain at least one sub-step
{{- else -}}
{{- $problem := include "gateway.conditionProblem" (dict "at" $at "step" .) -}}
{{- $problem = $problem | default (include "gateway.subStepsProblem" (dict "at" (print $at ".forEach.steps") "steps" $loop.steps)) -}}
{{- $problem | default (include "gateway.subStepsProblem" (dict "at" (print $at ".parallel") "steps" .parallel)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Parameters: `at`, the path of the list, and `steps`, or nil. */}}
{{- define "gateway.subStepsProblem" -}}
{{- $at := .at -}}
{{- $problem := "" -}}
{{- range $index, $step := .steps -}}
{{- if not $problem -}}
{{- $problem = include "gateway.conditionProblem" (dict "at" (printf "%s[%d]" $at $index) "step" $step) -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Parameters: `at`, the path of the step, and `step`, with or without a condition. */}}
{{- define "gateway.conditionProblem" -}}
{{- if hasKey .step "condition" -}}
{{- $at := print .at ".condition" -}}
{{- $condition := .step.condition | default dict -}}
{{- $isTemplate := hasKey $condition "template" -}}
{{- $isTool := hasKey $condition "tool" -}}
{{- $isStep := hasKey $condition "fromStep" -}}
{{- if not (or $isTemplate $isTool $isStep) -}}
{{- $at }}: condition requires exactly one of template, tool, or fromStep
{{- else if and $isTemplate (or $isTool $isStep) -}}
{{- $at }}.template: condition.template is mutually exclusive with tool/fromStep
{{- else if and $isTool $isStep -}}
{{- $at }}.fromStep: condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)
{{- else if not $isTemplate -}}
{{- include "gateway.expectationProblem" (dict "at" $at "condition" $condition) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Parameters: `at`, the path of the condition, and `condition`, on a tool or a step. */}}
{{- define "gateway.expectationProblem" -}}
{{- $at := .at -}}
{{- $condition := .condition -}}
{{- if not (or (hasKey $condition "expect") (hasKey $condition "expectNot")) -}}
{{- $at }}: a tool or fromStep condition requires expect or expectNot
{{- else -}}
{{- $problem := "" -}}
{{- range list "expect" "expectNot" -}}
{{- $expectation := index $condition . | default dict -}}
{{- if and (not $problem) (hasKey $condition .) (not (hasKey $expectation "success")) (not $expectation.jsonPath) -}}
{{- $problem = printf "%s.%s: either success or jsonPath must be provided" $at . -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
{{- end -}}
