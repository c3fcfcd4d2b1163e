import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import { startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

const directory = testDirectory();

const ROUNDS = 3;
const RUNS = 20;

it('keeps the record of every run that was answered when the gateway is killed at once', async () => {
  const records = join(directory.path, 'runs');
  directory.config({ workflows: { executionsDirectory: records } });
  directory.workflow('quick', {
    description: 'One step',
    steps: [{ id: 'one', tool: 'core_service_list', args: {} }],
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const gateway = await startGateway(directory.path);
    const client = await connect(gateway.url);
    const answers = await Promise.all(
      Array.from({ length: RUNS }, () => callTool(client, 'workflow_quick', {})),
    );
    await gateway.stop('SIGKILL');
    const ids = answers.map(
      (answer) => (JSON.parse(textOf(answer)) as { execution_id: string }).execution_id,
    );
    expect(ids.filter((id) => !existsSync(join(records, `${id}.json`)))).toEqual([]);
  }
});
