import { agentStoreSuite } from '../suite/agent-store-suite.ts';
import { storeUnderTest } from './release-directory.ts';

agentStoreSuite({ name: 'a directory', open: storeUnderTest, isOpenWithoutModels: true });
