{{/*
Returns why the gateway would refuse a glob, with its text; empty when the glob compiles. The length counts as in the gateway: a character beyond U+FFFF is two.
*/}}
{{- define "library.glob.problem" -}}
{{- $length := add (len (regexFindAll `(?s).` . -1)) (len (regexFindAll `[\x{10000}-\x{10FFFF}]` . -1)) -}}
{{- $max := include "library.maxGlobLength" . -}}
{{- if gt $length (int64 $max) -}}
{{- printf "pattern is invalid: longer than %s characters" $max -}}
{{- else if or (not (regexMatch (printf `(?s)^(?:%s)*$` (include "library.glob.part" .)) .)) (include "library.glob.reversed" .) -}}
{{- printf "pattern %q is invalid: syntax error in pattern" . -}}
{{- end -}}
{{- end -}}

{{/* A character of a class: `-` and `]` only after a `\`. */}}
{{- define "library.glob.end" -}}(?:\\.|[^\\\]\-]){{- end -}}

{{/* A class, an escaped character, or another character, stars and question marks included. */}}
{{- define "library.glob.part" -}}
{{- $end := include "library.glob.end" . -}}
{{- $member := printf `(?:%s(?:-%s)?)` $end $end -}}
{{- printf `\[(?:\^%s+|(?:\\.|[^\\\]\-^])(?:-%s)?%s*)\]|\\.|[^\\\[]` $member $end $member -}}
{{- end -}}

{{/* Returns a text when a range of a class ends before it begins. The order of UTF-8 texts is that of their characters. */}}
{{- define "library.glob.reversed" -}}
{{- $end := include "library.glob.end" . -}}
{{- range regexFindAll (printf `(?s)%s` (include "library.glob.part" .)) . -1 -}}
{{- if and (hasPrefix "[" .) (gt (len .) 1) -}}
{{- range regexFindAll (printf `(?s)%s-%s|%s` $end $end $end) (. | trimPrefix "[" | trimPrefix "^") -1 -}}
{{- if regexMatch (printf `(?s)^%s-%s$` $end $end) . -}}
{{- $low := regexReplaceAll (printf `(?s)^\\?(.)-%s$` $end) . "${1}" -}}
{{- $high := regexReplaceAll (printf `(?s)^%s-\\?(.)$` $end) . "${1}" -}}
{{- if gt $low $high -}}reversed{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
