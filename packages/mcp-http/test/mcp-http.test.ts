import { faceSuite } from './face.suite.ts';
import { startHttpFace } from './face.ts';
import { startSdkFace } from './sdk-face.ts';

faceSuite('the endpoint on node:http', startHttpFace);
faceSuite("the SDK's transports, over the same service", startSdkFace);
