import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSPORTS, type TransportAnswer } from './harness/transports.ts';
import { startService, type StartedService } from './harness/started-service.ts';

const OLD = `# From before toolsets. The team reads this file.
kind: HelmRelease
apiVersion: helm.toolkit.fluxcd.io/v2
metadata: { namespace: default, name: old } # ours

spec:
  chartRef: {kind: OCIRepository, name: agent}
  suspend: false # Flux may act
  values:
    modelConfig: {name: 'small'}

    agent:
      name:   old
      description: "helps" # for people
    futureValue: 1
`;

const NOT_THERE = {
  error: {
    code: 'not_found',
    message: 'not found: agent default/old: no Agent and no HelmRelease of that name',
  },
};

let service: StartedService;
let file: string;
beforeAll(async () => {
  service = await startService();
  file = join(service.directory, 'releases/default/old.yaml');
  mkdirSync(join(service.directory, 'releases/default'), { recursive: true });
});
afterAll(() => service.stop());

const bodyOf = ({ status, body }: TransportAnswer) => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Readonly<Record<string, unknown>>;
};

describe.each(Object.entries(TRANSPORTS))(
  'over %s, an agent that was written by hand',
  (_, ask) => {
    it('is listed when its file exists, with implicit full access until it declares a toolset', async () => {
      expect((await ask(service.url, 'get_agent', { name: 'old' })).body).toEqual(NOT_THERE);
      writeFileSync(file, OLD);
      const got = bodyOf(await ask(service.url, 'get_agent', { name: 'old' }));
      expect(got).toMatchObject({ description: 'helps', exists: false, implicitFullAccess: true });
      expect(got).not.toHaveProperty('toolset');
      expect(bodyOf(await ask(service.url, 'list_agents', {}))).toEqual({ agents: [got] });
    });

    it('reflects an edit of its file immediately', async () => {
      writeFileSync(file, OLD.replace('futureValue: 1', 'toolset: ["tool:a"]'));
      const got = bodyOf(await ask(service.url, 'get_agent', { name: 'old' }));
      expect(got['toolset']).toEqual(['tool:a']);
      expect(got).not.toHaveProperty('implicitFullAccess');
      writeFileSync(file, OLD);
      expect(bodyOf(await ask(service.url, 'list_agents', {}))['agents']).toMatchObject([
        { name: 'old', implicitFullAccess: true },
      ]);
    });

    it('receives a toolset by update_agent, with comments and unchanged lines preserved', async () => {
      const toolset = ['preset:read-only', 'tool:b'];
      expect(
        bodyOf(
          await ask(service.url, 'update_agent', { name: 'old', description: 'new', toolset }),
        ),
      ).toMatchObject({ changed: ['agent.description', 'toolset'], agent: { toolset } });
      expect(readFileSync(file, 'utf8')).toBe(
        `${OLD.replace('"helps"', '"new"')}    toolset:\n      - preset:read-only\n      - tool:b\n`,
      );
      const got = bodyOf(await ask(service.url, 'get_agent', { name: 'old' }));
      expect(got).toMatchObject({ toolset, description: 'new' });
      expect(got).not.toHaveProperty('implicitFullAccess');
    });

    it('is not written again when nothing changes', async () => {
      const before = readFileSync(file, 'utf8');
      expect(
        bodyOf(await ask(service.url, 'update_agent', { name: 'old', description: 'new' })),
      ).toMatchObject({ changed: [] });
      expect(readFileSync(file, 'utf8')).toBe(before);
    });

    it('is deleted with its file', async () => {
      expect(bodyOf(await ask(service.url, 'delete_agent', { name: 'old' }))).toEqual({
        name: 'old',
        namespace: 'default',
        helmReleaseDeleted: true,
        agentDeleted: false,
        ociRepositoryDeleted: false,
        ociRepositoryKept: 'no OCIRepository to delete',
      });
      expect((await ask(service.url, 'get_agent', { name: 'old' })).body).toEqual(NOT_THERE);
    });
  },
);
