{{/*
Returns the prefix of the keys of a chart: `muster.` for a chart that is the part `muster` of another, empty for the chart of a release. Takes the root context.
*/}}
{{- define "library.valuesPath" -}}
{{- range regexFindAll "/charts/[^/]+" .Template.BasePath -1 -}}
{{- trimPrefix "/charts/" . -}}.
{{- end -}}
{{- end -}}
