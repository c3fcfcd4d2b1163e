{{/* The rules of values in Secrets and ConfigMaps, in the sentences and the order of the gateway. */}}

{{/*
Returns the first problem of a list: `field` with `entries`, each of which names a `thing` that the map `map` with the values `known` must not have.
Names of headers have no case.
*/}}
{{- define "library.referencesProblem" -}}
{{- $known := keys (default dict .known) -}}
{{- $names := list -}}
{{- range .entries -}}{{- $names = append $names .name -}}{{- end -}}
{{- $both := dict "problem" "" -}}
{{- range $names -}}
{{- if has . $known -}}
{{- $_ := set $both "problem" (printf "%s: a %s is either in %s or in %s" $.field $.thing $.map $.field) -}}
{{- end -}}
{{- end -}}
{{- $both.problem | default (include "library.repeatedReference" (merge (dict "names" $names) .)) | default (include "library.referenceObject" .) | default (include "library.referenceCase" (merge (dict "names" $names "others" $known) .)) -}}
{{- end -}}

{{- define "library.repeatedReference" -}}
{{- $compared := .names -}}
{{- if eq .thing "header" -}}{{- $compared = splitList " " (lower (join " " .names)) -}}{{- end -}}
{{- if ne (len $compared) (len (uniq $compared)) -}}
{{- printf "%s: each %s of %s has another name" .field .thing .field -}}
{{- end -}}
{{- end -}}

{{- define "library.referenceObject" -}}
{{- $problem := "" -}}
{{- range $at, $entry := .entries -}}
{{- if and (not $problem) (eq (hasKey . "secretKeyRef") (hasKey . "configMapKeyRef")) -}}
{{- $problem = printf "%s[%d]: exactly one of secretKeyRef and configMapKeyRef is required" $.field $at -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "library.referenceCase" -}}
{{- $others := splitList " " (lower (join " " .others)) -}}
{{- $problem := "" -}}
{{- if and (eq .thing "header") .others -}}
{{- range .names -}}
{{- if has (lower .) $others -}}
{{- $problem = printf "%s: a %s is either in %s or in %s, whatever the case of its name" $.field $.thing $.map $.field -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
