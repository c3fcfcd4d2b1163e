import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  parseExecForm,
  parseDockerfile,
  listInstructionTexts,
  isIgnored,
} from '../../src/dockerfile.ts';
import { toImage, derivedImageRules, listImageProblems } from '../../src/image-rules.ts';
import { render } from '../../src/render.ts';
import { ROOT, dockerfileOf, factsOf, ignored, programs } from './apps.ts';

describe('the images of the apps', () => {
  it('include the image of the gateway', () => {
    expect(programs).toContain('gateway');
  });

  it.each(programs)('%s obeys every rule', (app) => {
    expect(listImageProblems(dockerfileOf(app), factsOf(app))).toEqual([]);
  });
});

/** The instructions of the stages before the last, with the name of the app replaced, and without the folder of its state and its compiled code. */
const shared = (app: string): readonly string[] =>
  parseDockerfile(dockerfileOf(app))
    .stages.slice(0, -1)
    .flatMap(({ name, base, instructions }) => [
      `FROM ${base} AS ${name}`,
      ...instructions.map(({ keyword, text }) => `${keyword} ${text}`),
    ])
    // Only the gateway stores its compiled code.
    .filter((line) => !line.includes('/.cache'))
    .map((line) =>
      line
        .replace(/^RUN mkdir -p \/var\/lib\/\S+ +&& chown \S+ \S+ +&& /u, 'RUN ')
        .replace('--filter=@gateway/portal-web ', '')
        .replaceAll(`@gateway/${app}`, '@gateway/app')
        .replaceAll(`/opt/${app}`, '/opt/app')
        .replaceAll(`bin/${app}`, 'bin/app'),
    );

describe('the stages before the last', () => {
  // A Dockerfile cannot include another one.
  it('are the same in all images, but for the name of the app and the folder of its state', () => {
    const [first = [], ...others] = programs.map(shared);
    expect(first.join('\n')).toContain('apt-get install');
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('the image of the portal', () => {
  const { final } = toImage(parseDockerfile(dockerfileOf('portal')));

  it('starts as its chart starts it', async () => {
    const rendered = await render('portal');
    if (!rendered.ok) throw new Error(rendered.error);
    const deployment = rendered.objects.find(({ kind }) => kind === 'Deployment');
    const { template } = deployment?.['spec'] as { template: { spec: PodSpec } };
    const [container] = template.spec.containers;
    const command = parseExecForm(listInstructionTexts(final, 'CMD')[0] ?? '') ?? [];
    expect(container?.image).toBe('registry.gateway.internal/portal:0.239.0');
    expect(container?.args.slice(0, command.length)).toEqual(command);
    expect(container?.ports.map(({ containerPort }) => String(containerPort))).toEqual(
      listInstructionTexts(final, 'EXPOSE'),
    );
    const { runAsUser, runAsGroup } = template.spec.securityContext;
    expect([`${String(runAsUser)}:${String(runAsGroup)}`]).toEqual(
      listInstructionTexts(final, 'USER'),
    );
  });
});

describe('the image of the gateway', () => {
  const { final } = toImage(parseDockerfile(dockerfileOf('gateway')));

  it('starts as its chart starts it', async () => {
    const rendered = await render('gateway');
    if (!rendered.ok) throw new Error(rendered.error);
    const deployment = rendered.objects.find(({ kind }) => kind === 'Deployment');
    const { template } = deployment?.['spec'] as { template: { spec: PodSpec } };
    const [container] = template.spec.containers;
    const command = parseExecForm(listInstructionTexts(final, 'CMD')[0] ?? '') ?? [];
    expect(container?.image).toBe('registry.gateway.internal/gateway:5.13.0');
    expect(container?.command).toBeUndefined();
    expect(container?.args.slice(0, command.length)).toEqual(command);
    expect([container?.ports.map(({ containerPort }) => containerPort).join(' ')]).toEqual(
      listInstructionTexts(final, 'EXPOSE'),
    );
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining(['/etc/gateway', '/var/lib/gateway', '/tmp']),
    );
    const { runAsUser, runAsGroup } = template.spec.securityContext;
    expect([`${String(runAsUser)}:${String(runAsGroup)}`]).toEqual(
      listInstructionTexts(final, 'USER'),
    );
  });

  it('listens on the default port of the configuration', () => {
    const schema = JSON.parse(
      readFileSync(join(ROOT, 'packages/gateway-config/config.schema.json'), 'utf8'),
    ) as { properties: { http: { properties: { port: { default: number } } } } };
    expect(schema.properties.http.properties.port.default).toBe(factsOf('gateway').port);
  });
});

describe('the build context', () => {
  it.each([
    '.git/HEAD',
    'node_modules/vitest/package.json',
    'apps/gateway/dist/cli.js',
    'apps/gateway/test/image.test.ts',
    'apps/gateway/example/config.yaml',
    'docs/container.md',
    'npm-debug.log',
    '.env',
    'apps/gateway/.env.local',
    'tls/server.key',
    'apps/gateway/ca.pem',
    'apps/gateway/state/events.jsonl',
  ])('leaves out %s', (path) => {
    expect(isIgnored(path, ignored)).toBe(true);
  });

  it.each([
    '.npmrc',
    'pnpm-lock.yaml',
    'apps/gateway/image/config.yaml',
    'apps/gateway/src/cli.ts',
    'packages/crd-schemas/generated/mcpserver.schema.json',
    'packages/catalog/src/distance.ts',
  ])('holds %s', (path) => {
    expect(isIgnored(path, ignored)).toBe(false);
  });
});

describe('the guide to containers', () => {
  const guide = readFileSync(join(ROOT, 'docs/container.md'), 'utf8');

  it('derives an image as the rules for builds say', () => {
    const snippets = [...guide.matchAll(/```dockerfile\n(?<text>.*?)```/gsu)];
    expect(snippets).toHaveLength(1);
    const text = snippets[0]?.groups?.['text'] ?? '';
    expect(listImageProblems(text, factsOf('gateway'), derivedImageRules)).toEqual([]);
    const { stages, final } = toImage(parseDockerfile(text));
    expect(final.base).toBe('registry.gateway.internal/gateway:5.13.0');
    expect(stages[0]?.base).toBe(parseDockerfile(dockerfileOf('gateway')).stages[0]?.base);
    expect(listInstructionTexts(final, 'RUN')).toEqual([]);
    expect(listInstructionTexts(final, 'USER')).toEqual([]);
  });
});

interface PodSpec {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly containers: readonly {
    readonly image: string;
    readonly command?: readonly string[];
    readonly args: readonly string[];
    readonly ports: readonly { readonly containerPort: number }[];
    readonly volumeMounts: readonly { readonly mountPath: string }[];
  }[];
}
