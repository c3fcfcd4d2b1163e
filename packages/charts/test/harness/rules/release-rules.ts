import { as, checkCondition, type Rule } from './rendered.ts';

interface Release {
  readonly spec: {
    readonly chartRef?: {
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
    };
    readonly dependsOn?: readonly { readonly name: string; readonly namespace?: string }[];
  };
}

/** A HelmRelease refers to an existing source and depends on existing releases. */
export const helmReleaseRule: Rule = (object, rendered) => {
  const { chartRef, dependsOn = [] } = as<Release>(object).spec;
  const isMissing = (kind: string, name: string, namespace?: string): boolean =>
    namespace === undefined && rendered.find(kind, name, object) === undefined;
  return [
    ...checkCondition(
      chartRef === undefined || !isMissing(chartRef.kind, chartRef.name, chartRef.namespace),
      ['spec', 'chartRef'],
      `there is no ${String(chartRef?.kind)} ${String(chartRef?.name)}`,
    ),
    ...dependsOn
      .filter(({ name, namespace }) => isMissing('HelmRelease', name, namespace))
      .map(({ name }) => ({
        path: ['spec', 'dependsOn'],
        message: `there is no HelmRelease ${name}`,
      })),
  ];
};
