/** What a chart says of itself in `Chart.yaml`. */
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
  '`registry.gateway.internal` stands for the registry that you keep charts and images in.',
  '',
  `Every value stands in \`values.yaml\` with its description; \`values.schema.json\` refuses the others. The guide is \`docs/charts/${name}.md\` of the repository, the reference \`docs/reference/charts/${name}.md\`, the upgrade notes \`docs/upgrading.md\`.`,
];

const LIBRARY =
  'A library chart: other charts depend on it and carry it in their packages. It is not installed by itself.';

/** The `README.md` that a packaged chart carries. */
export function chartReadme(facts: ChartFacts): string {
  const use = facts.type === 'library' ? [LIBRARY] : useOf(facts);
  return [`# ${facts.name}`, '', facts.description, '', ...use, ''].join('\n');
}
