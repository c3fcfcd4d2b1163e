import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { valuesOf } from '../generated.ts';
import { CHARTS, type ChartName } from '../src/assemble-charts.ts';
import { lint, render, type ManifestObject } from '../src/render.ts';
import {
  createChartSchema,
  readConfigurationDefault,
  type ValueSchema,
} from '../src/chart-schema.ts';
import { chartFiles, templatesOf } from './harness/chart-files.ts';
import { RENDER_CASES, renderCase } from './harness/render-cases.ts';
import { hasValue, unreadLeaves, valueReads } from './harness/template-values.ts';
import { kubernetesProblems } from './harness/valid-objects.ts';

const VERSIONS: Readonly<Record<ChartName, string>> = {
  library: '0.1.0',
  agent: '0.6.0',
  gateway: '5.13.0',
  'agent-manager': '0.4.0',
  portal: '0.239.0',
  'model-manager': '0.18.0',
  'agent-platform-mcps': '0.9.0',
  'mcp-kubernetes': '0.1.0',
  'agent-platform': '3.11.0',
  standalone: '0.38.0',
};

const ROOT = join(import.meta.dirname, '..');
const APPLICATIONS = CHARTS.filter((chart) => chart !== 'library');

/** Names of other systems and registries. */
const FOREIGN =
  /giant ?swarm|gsoci|azurecr|bumblebee|backstage|\bdocker\.io|ghcr\.io|quay\.io|gcr\.io/iu;

/** Constants that templates must not repeat: the header, the port and the timeout. */
const CONSTANTS = new RegExp(
  String.raw`${TOOLSET_HEADER}|\b${readConfigurationDefault('http.port').toString()}\b|\b${readConfigurationDefault('http.requestTimeoutSeconds').toString()}\b`,
  'iu',
);

interface ChartFacts {
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
  readonly type: string;
  readonly description: string;
  readonly kubeVersion: string;
  readonly dependencies?: readonly { readonly name: string; readonly alias?: string }[];
}

const read = async (chart: ChartName, file: string): Promise<string> =>
  await readFile(join(ROOT, chart, file), 'utf8');

const factsOf = async (chart: ChartName): Promise<ChartFacts> =>
  parse(await read(chart, 'Chart.yaml')) as ChartFacts;

const schemaOf = async (chart: ChartName): Promise<ValueSchema> =>
  JSON.parse(await read(chart, 'values.schema.json')) as ValueSchema;

const LABELS = [
  ...['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by', 'app.kubernetes.io/name'],
  ...['app.kubernetes.io/version', 'helm.sh/chart'],
];

/** Objects without one of the labels that every object of a chart carries. */
const unlabelled = (objects: readonly ManifestObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind !== 'CustomResourceDefinition')
    .flatMap(({ kind, metadata }) =>
      LABELS.filter((label) => !Object.hasOwn(metadata.labels ?? {}, label)).map(
        (label) => `${kind} ${metadata.name} has no label ${label}`,
      ),
    );

interface NamedValue {
  readonly key: string;
  readonly schema: ValueSchema;
}

/** Every value below a schema, by its key. */
const valuesBelow = (schema: ValueSchema, prefix = ''): readonly NamedValue[] => {
  const { additionalProperties: named, items } = schema;
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
      { key: prefix + key, schema: value },
      ...valuesBelow(value, `${prefix}${key}.`),
    ]),
    ...(typeof named === 'object' ? valuesBelow(named, `${prefix}<name>.`) : []),
    ...(items === undefined ? [] : valuesBelow(items, `${prefix}[].`)),
  ];
};

const isSentence = ({ schema: { description, properties } }: NamedValue): boolean =>
  description !== undefined && (properties !== undefined || description.trimEnd().endsWith('.'));

const ajv = new Ajv({ strict: false });

/** A pod without privileges; `toMatchObject` leaves other fields open. */
const HARDENED = {
  enableServiceLinks: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 65532,
    runAsGroup: 65532,
    fsGroup: 65532,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};
const HARDENED_CONTAINER = {
  imagePullPolicy: expect.stringMatching(/^(IfNotPresent|Always)$/u) as unknown,
  resources: {
    requests: { cpu: expect.any(String) as unknown },
    limits: { memory: expect.any(String) as unknown },
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
};
const PROBE = {
  failureThreshold: expect.any(Number) as unknown,
  timeoutSeconds: expect.any(Number) as unknown,
};
const PROBES = { startupProbe: PROBE, livenessProbe: PROBE, readinessProbe: PROBE };

interface PodTemplate {
  readonly template: { readonly spec: { readonly containers: readonly object[] } };
}

/** Expects pods that need no privileges, with probes, and a first container of the chart. */
const expectHardened = (objects: readonly ManifestObject[]): void => {
  for (const { kind, spec } of objects.filter((object) =>
    /^(Deployment|StatefulSet)$/u.test(object.kind),
  )) {
    const pod = (spec as PodTemplate).template.spec;
    expect(pod).toMatchObject(HARDENED);
    expect(pod.containers[0]).toMatchObject(
      kind === 'Deployment' ? { ...HARDENED_CONTAINER, ...PROBES } : HARDENED_CONTAINER,
    );
  }
};

describe.each(CHARTS)('the chart %s', (chart) => {
  it('describes itself', async () => {
    const { name, version, appVersion, type, description, kubeVersion } = await factsOf(chart);
    expect({ name, version, appVersion, type, kubeVersion }).toEqual({
      name: chart,
      version: VERSIONS[chart],
      appVersion: chart === 'library' ? undefined : VERSIONS[chart],
      type: chart === 'library' ? 'library' : 'application',
      kubeVersion: '>=1.27.0-0',
    });
    expect(description).toMatch(/^[A-Z].*\.$/u);
    expect(await read(chart, 'README.md')).toContain(`# ${chart}`);
  });

  it('passes helm lint --strict', async () => expect(await lint(chart)).toBeUndefined());

  it('has in its templates no constant of the packages but those that are generated', async () => {
    const templates = (await chartFiles(chart)).filter(({ path }) =>
      /templates\/(?!_generated\.tpl$)/u.test(path),
    );
    const repeated = templates.filter(({ text }) => CONSTANTS.test(text)).map(({ path }) => path);
    expect(repeated).toEqual([]);
  });

  it('contains no name of another system or registry', async () => {
    const files = await chartFiles(chart);
    const lines = files.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => FOREIGN.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(lines).toEqual([]);
  });
});

describe.each(APPLICATIONS)('the chart %s', (chart) => {
  it('has the defaults of its schema in values.yaml, and a description and valid examples of each value', async () => {
    const values = valuesOf[chart];
    const defaults: unknown = JSON.parse(JSON.stringify(values?.parse({})));
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(await read(chart, 'values.yaml'), { version })).toEqual(defaults);
    const named = valuesBelow(await schemaOf(chart)).filter(({ key }) => !/\[\]|<name>/u.test(key));
    expect(named.filter((value) => !isSentence(value)).map(({ key }) => key)).toEqual([]);
    const described = values === undefined ? [] : valuesBelow(createChartSchema(values, 'whole'));
    for (const { key, schema } of described) {
      expect([key, schema.description]).not.toContain(undefined);
      for (const example of schema.examples ?? [])
        expect([key, example, ajv.validate(schema, example)]).toEqual([key, example, true]);
    }
  });

  it('renders with its defaults, every object valid and labelled, and NOTES beside workloads', async () => {
    const rendered = await render(chart);
    if (!rendered.ok) throw new Error(rendered.error);
    expect(unlabelled(rendered.objects)).toEqual([]);
    expect(kubernetesProblems(rendered.objects)).toEqual([]);
    expectHardened(rendered.objects);
    const hasWorkload = rendered.objects.some(({ kind }) => /Deployment|HelmRelease/u.test(kind));
    expect(existsSync(join(ROOT, chart, 'templates/NOTES.txt')) || !hasWorkload).toBe(true);
  });

  it('refuses an unknown value by name', async () => {
    const rendered = await render(chart, { notAValue: 1 });
    expect(rendered).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /Additional property notAValue is not allowed|notAValue: Invalid type/u,
      ) as string,
    });
  });

  it('uses only existing values in its templates', async () => {
    const { dependencies = [] } = await factsOf(chart);
    const parts = APPLICATIONS.filter((part) => dependencies.some(({ name }) => name === part));
    const schemas = await Promise.all([chart, ...parts].map(schemaOf));
    const unexpected = valueReads(await templatesOf(chart))
      .map(({ path }) => path)
      .filter((path) => path[0] !== 'AsMap' && !schemas.some((schema) => hasValue(schema, path)));
    expect(unexpected.map((path) => path.join('.'))).toEqual([]);
  });

  it('has no value that no template reads', async () => {
    const { dependencies = [] } = await factsOf(chart);
    const text = (await templatesOf(chart)) + (await templatesOf('library'));
    // Values under the name of a part belong to that part.
    const { components = {} } = parse(await read(chart, 'values.yaml')) as { components?: object };
    const parts = dependencies.map(({ name, alias }) => alias ?? name);
    const forwarded = ['global', ...Object.keys(components), ...parts];
    const unread = unreadLeaves(await schemaOf(chart), text).filter(
      (leaf) => !forwarded.includes(leaf.split('.', 1)[0] ?? ''),
    );
    expect(unread).toEqual([]);
  });
});

describe('a chart with the name of an app', async () => {
  const apps = await readdir(join(ROOT, '../../apps'));
  const charts = CHARTS.filter((chart) => apps.includes(chart));

  it('exists for the gateway', () => {
    expect(charts).toContain('gateway');
  });

  it.each(charts)('runs the version of that app: %s', async (chart) => {
    const manifest = await readFile(join(ROOT, '../../apps', chart, 'package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { readonly version: string };
    expect((await factsOf(chart)).appVersion).toBe(version);
  });
});

it.each(RENDER_CASES.map((one) => [`${one.chart}/${one.name}`, one] as const))(
  'every case %s is labelled, refers to what it has, and runs without privileges',
  async (_name, one) => {
    const { objects } = await renderCase(one);
    expect(unlabelled(objects)).toEqual([]);
    expect(kubernetesProblems(objects)).toEqual([]);
    expectHardened(objects);
  },
);
