// Asks agent-manager from a program: `node client.mjs [http://127.0.0.1:8080]`.
import { createAgentManagerClient } from '@gateway/agent-manager-client';

const [baseUrl = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const manager = createAgentManagerClient({ baseUrl });

const listed = await manager.listAgents({ namespace: 'default' });
if (!listed.ok) throw new Error(listed.error.message);
for (const { name, toolset } of listed.value.agents)
  console.log(name, toolset ?? 'everything that the gateway exposes');

// What agent-manager refuses is a value too, with its code.
const changed = await manager.updateAgent({ namespace: 'default', name: 'sre', toolset: [] });
console.log(changed.ok ? changed.value.changed : changed.error.code);
