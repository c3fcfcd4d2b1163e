// Loaded into a gateway by `--import`: its host has the name in `REPLICA`, as each pod has its own.
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';

os.hostname = () => process.env.REPLICA;
syncBuiltinESMExports();
