import { startHttpEndpoint } from './endpoint.ts';
import { wireSuite } from './wire.suite.ts';

wireSuite('the wire of the endpoint on node:http', startHttpEndpoint);
