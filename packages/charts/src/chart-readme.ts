/** Facts from `Chart.yaml`. */
export interface ChartFacts {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly description: string;
}

const useOf = ({ name, version }: ChartFacts): readonly string[] => [
  '```sh',
  `helm install my-${name} oci://registry.gateway.internal/charts/${name} --version ${version}`,
  `helm show values oci://registry.gateway.internal/charts/${name} --version ${version}`,
  '```',
  '',
  '`registry.gateway.internal` is a placeholder for your registry.',
  '',
  `Every value stands in \`values.yaml\` with its description; \`values.schema.json\` refuses the others. The guide is \`docs/charts/${name}.md\` of the repository, the reference \`docs/reference/charts/${name}.md\`, the upgrade notes \`docs/upgrading.md\`.`,
];

const LIBRARY =
  'A library chart: other charts depend on it and carry it in their packages. It is not installed by itself.';

/** Returns the `README.md` of a packaged chart. */
export function chartReadme(facts: ChartFacts): string {
  const use = facts.type === 'library' ? [LIBRARY] : useOf(facts);
  return [`# ${facts.name}`, '', facts.description, '', ...use, ''].join('\n');
}
