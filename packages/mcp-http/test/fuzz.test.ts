import { startHttpEndpoint } from './endpoint.ts';
import { fuzzSuite } from './fuzz.suite.ts';

fuzzSuite('malformed input sent to the endpoint on node:http', startHttpEndpoint);
