import {
  addServeOptions,
  ENVIRONMENT,
  resolveOauth,
  type ServiceArguments,
  resolveStore,
} from '@gateway/agent-manager-service';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { openSkills } from '../src/serving/open-skills.ts';
import { readSessionKey } from '@gateway/service-host';

const GOLDEN = join(import.meta.dirname, '../../../packages/charts/test/golden/agent-manager');

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string }[];
}

/** The container of the Deployment that the chart renders, as it is written down there. */
function containerOf(file: string): Container {
  for (const document of parseAllDocuments(readFileSync(join(GOLDEN, file), 'utf8'))) {
    const object = document.toJS() as { kind?: string; spec: { template: { spec: unknown } } };
    if (object.kind !== 'Deployment') continue;
    const { containers } = object.spec.template.spec as { containers: readonly [Container] };
    return containers[0];
  }
  throw new Error(`${file} has no Deployment`);
}

const optionsOf = ([command, ...args]: readonly string[]): ServiceArguments => {
  expect(command).toBe('serve');
  const serve = addServeOptions(new Command()).exitOverride();
  return serve.parse(args, { from: 'user' }).opts<ServiceArguments>();
};

it('accepts the command line that the chart gives its container', () => {
  const files = readdirSync(GOLDEN);
  expect(files.toSorted()).toEqual(['registered.yaml', 'sign-in.yaml']);
  for (const file of files)
    expect(resolveStore(optionsOf(containerOf(file).args)), file).toEqual({
      ok: true,
      store: { kind: 'kubernetes' },
    });
  expect(optionsOf(containerOf('registered.yaml').args)).toEqual({
    host: '0.0.0.0',
    port: 8080,
    kubernetes: true,
    namespaces: ['kagent', 'agents'],
    allowedHosts: [
      'demo-agent-manager',
      'demo-agent-manager.demo-ns',
      'demo-agent-manager.demo-ns.svc',
      'demo-agent-manager.demo-ns.svc.cluster.local',
    ],
    chartUrl: 'oci://registry.gateway.internal/charts/agent',
    chartSemver: 'x.x.x',
    helmreleaseInterval: '5m',
    ocirepositoryInterval: '1h30m',
    serviceAccountName: 'agents',
    skillsRepositories: ['https://git.example.com/platform/skills'],
    skillsApiUrl: 'https://git.example.com/api/v3',
    logFormat: 'json',
    logLevel: 'info',
  });
});

it('requires tokens when the chart says so, and sends them to the cluster', () => {
  const options = optionsOf(containerOf('sign-in.yaml').args);
  expect(options).toMatchObject({
    enableOauth: true,
    oauthIssuer: 'https://login.example.com',
    publicUrl: 'https://agents.example.com',
    oauthAudiences: ['gateway', 'kubernetes'],
    downstreamOauth: true,
  });
  expect(resolveOauth(options)).toMatchObject({ ok: true });
});

it('reads the secrets that the chart passes to its container', async () => {
  const [session = '', token = '', ...others] = (containerOf('registered.yaml').env ?? []).map(
    ({ name }) => name,
  );
  expect(others).toEqual([]);
  expect(readSessionKey({ [session]: 'short' }, ENVIRONMENT.sessionKey)).toEqual({
    ok: false,
    problem: 'AGENT_MANAGER_SESSION_KEY must have at least 32 characters',
  });
  const asked: unknown[] = [];
  const host = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port.toString()}`;
  const opened = openSkills(
    { skillsRepositories: ['https://git.example.com/platform/skills'], skillsApiUrl: url },
    { [token]: 'of the host' },
  );
  if (!opened.ok) throw new Error(opened.problem);
  await opened.skills?.list({});
  host.close();
  expect(asked).toEqual(['Bearer of the host']);
});
