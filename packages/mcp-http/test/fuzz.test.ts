import { startHttpFace } from './face.ts';
import { fuzzSuite } from './fuzz.suite.ts';

fuzzSuite('nonsense sent to the endpoint on node:http', startHttpFace);
