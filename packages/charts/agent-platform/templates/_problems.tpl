{{/* Returns the first problem of the values, as one sentence; empty without problems. Each check takes the root context. */}}

{{- define "agent-platform.problem" -}}
{{- $checks := list "blocks" "misplaced" "ranges" "floor" "valuesFrom" "dependsOn" "circles" "releases" -}}
{{- $problem := "" -}}
{{- range $checks -}}
{{- if not $problem -}}
{{- $problem = include (printf "agent-platform.%sProblem" .) $ -}}
{{- end -}}
{{- end -}}
{{- $presets := dict
  "path" "muster.muster.toolsetPresets"
  "presets" ((.Values.muster).muster).toolsetPresets
  "labelDomain" (include "library.labelDomain" .) -}}
{{- if not $problem -}}{{- $problem = include "library.presets.problem" $presets -}}{{- end -}}
{{- if not $problem -}}{{- $problem = include "library.presets.labelDomainProblem" $presets -}}{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Keys of the values that are not blocks. */}}
{{- define "agent-platform.ownKeys" -}}
{{- list "apiGroup" "chartRepository" "components" "flux" "global" "labelDomain" "library" "namespace" | toJson -}}
{{- end -}}

{{/* A block without a component is a mistake. Shipped blocks are permitted without their component. */}}
{{- define "agent-platform.blocksProblem" -}}
{{- $shipped := list "agent-manager" "agent-platform-mcps" "model-manager" "muster" -}}
{{- $known := concat $shipped (include "agent-platform.ownKeys" . | fromJsonArray) -}}
{{- range $component := .Values.components -}}
{{- with $component.valuesFrom -}}{{- $known = append $known . -}}{{- end -}}
{{- end -}}
{{- $unread := list -}}
{{- range $key, $_ := .Values -}}
{{- if not (has $key $known) -}}{{- $unread = append $unread $key -}}{{- end -}}
{{- end -}}
{{- with $unread -}}
{{- $blocks := without $known "library" | uniq | sortAlpha | join ", " -}}
{{- printf "%s: unknown value, and no component uses it as its block (components.<name>.valuesFrom); known values are %s" (join ", " .) $blocks -}}
{{- end -}}
{{- end -}}

{{/* The gateway chart refuses them too, but only when Flux installs it. */}}
{{- define "agent-platform.misplacedProblem" -}}
{{- if hasKey (default dict .Values.muster) "toolsetPresets" -}}
muster.toolsetPresets is no value of the gateway's chart: presets are part of the gateway's configuration, so set muster.muster.toolsetPresets
{{- end -}}
{{- end -}}

{{- define "agent-platform.rangesProblem" -}}
{{- $problem := "" -}}
{{- range $name, $component := .Values.components -}}
{{- if and (not $problem) (not (include "agent-platform.isVersionRange" $component.versionRange)) -}}
{{- $problem = printf "components.%s.versionRange %q is not a version range, such as \">=%s <6.0.0\"" $name $component.versionRange (include "agent-platform.gatewayFloor" $) -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* A gateway below the floor does not support presets by label and does not start. Every component with the block of the presets is a gateway. */}}
{{- define "agent-platform.floorProblem" -}}
{{- $floor := include "agent-platform.gatewayFloor" . -}}
{{- $problem := "" -}}
{{- range $name, $component := .Values.components -}}
{{- if and (not $problem) (or (eq $name "muster") (eq (default "" $component.valuesFrom) "muster")) -}}
{{- with include "agent-platform.admittedBelow" (dict "range" $component.versionRange "floor" $floor) -}}
{{- $problem = printf "components.%s.versionRange %q admits the gateway %s, which refuses to start with the platform's presets (unknown rule \"label\"); admit none below %s, such as \">=%s <6.0.0\"" $name $component.versionRange . $floor $floor -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "agent-platform.valuesFromProblem" -}}
{{- $problem := "" -}}
{{- $own := include "agent-platform.ownKeys" . | fromJsonArray -}}
{{- range $name, $component := .Values.components -}}
{{- if not $problem -}}
{{- with $component.valuesFrom -}}
{{- if has . $own -}}
{{- $problem = printf "components.%s.valuesFrom names %q, which is a value of this chart and not a block of values" $name . -}}
{{- else if not (hasKey $.Values .) -}}
{{- $problem = printf "components.%s.valuesFrom names the block of values %q, which is not set" $name . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "agent-platform.dependsOnProblem" -}}
{{- $problem := "" -}}
{{- range $name, $component := .Values.components -}}
{{- if include "agent-platform.enabled" $component -}}
{{- range $component.dependsOn -}}
{{- if not $problem -}}
{{- if not (hasKey $.Values.components .) -}}
{{- $problem = printf "components.%s.dependsOn names %q, which is not a component" $name . -}}
{{- else if not (include "agent-platform.enabled" (index $.Values.components .)) -}}
{{- $problem = printf "components.%s.dependsOn names %q, which is not enabled" $name . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Finds cyclic dependencies: components without dependencies are removed until none is left. */}}
{{- define "agent-platform.circlesProblem" -}}
{{- $waiting := dict -}}
{{- range $name, $component := .Values.components -}}
{{- if include "agent-platform.enabled" $component -}}
{{- $_ := set $waiting $name (default list $component.dependsOn) -}}
{{- end -}}
{{- end -}}
{{- range $_ := .Values.components -}}
{{- range $name, $others := deepCopy $waiting -}}
{{- $left := false -}}
{{- range $others -}}{{- if hasKey $waiting . -}}{{- $left = true -}}{{- end -}}{{- end -}}
{{- if not $left -}}{{- $_ := unset $waiting $name -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- with keys $waiting | sortAlpha -}}
{{- printf "components %s depend on each other (dependsOn), so none of them would be installed" (join ", " .) -}}
{{- end -}}
{{- end -}}

{{- define "agent-platform.releasesProblem" -}}
{{- $problem := "" -}}
{{- $seen := dict -}}
{{- range $name, $component := .Values.components -}}
{{- if include "agent-platform.enabled" $component -}}
{{- $part := dict "root" $ "name" $name "component" $component -}}
{{- $release := include "agent-platform.releaseName" $part -}}
{{- $namespace := include "agent-platform.releaseNamespace" $part -}}
{{- $key := printf "%s/%s" $namespace $release -}}
{{- if and (not $problem) (hasKey $seen $key) -}}
{{- $problem = printf "components %s and %s have the same release %q in the namespace %q; set releaseName of one" (index $seen $key) $name $release $namespace -}}
{{- end -}}
{{- $_ := set $seen $key $name -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
