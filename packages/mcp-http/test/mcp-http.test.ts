import { endpointSuite } from './endpoint.suite.ts';
import { startHttpEndpoint } from './endpoint.ts';
import { startSdkEndpoint } from './sdk-endpoint.ts';

endpointSuite('the endpoint on node:http', startHttpEndpoint);
endpointSuite("the SDK's transports, over the same service", startSdkEndpoint);
