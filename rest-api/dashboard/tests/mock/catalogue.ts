import type { Dataset, Devices, LevelDescription, Network } from '../../src/api/types.ts';

const defaults = { batchSize: 128, epochs: 10, learningRate: 0.1, momentum: 0.9, weightDecay: 0.0001 };

function network(name: string, summary: string, parameters: number): Network {
  return { name, summary, parameters, sample: '1 x 28 x 28', dataset: 'fashion-mnist', defaults };
}

export const networks: Network[] = [
  network('lenet5', 'LeNet-5 with ReLU and max pooling', 61_706),
  network('mlp', 'multilayer perceptron 784-1024-1024-10', 1_863_690),
  network('resnet20', 'ResNet-20 for small images', 272_474),
  network('resnet50', 'ResNet-50 v1.5 for images of 224 x 224', 25_557_032),
  network('lstm', 'LSTM with 128 units that reads images row by row', 82_186),
  network('vit', 'Vision transformer of 4 layers over patches of 4 x 4', 139_978),
];

export const datasets: Dataset[] = [{ name: 'fashion-mnist', summary: '70,000 grey images of clothes, ten classes', train: 60_000, test: 10_000 }];

export const devices: Devices = {
  devices: [
    { name: 'cpu', threads: 2, automatic: true },
    { name: 'reference', threads: 1, automatic: false },
  ],
  memoryBytes: 16 * 2 ** 30,
  jobLimitBytes: 6 * 2 ** 30,
};

const lossScale = { fp16: 'dynamic', bf16: 'none' };

export const levels: LevelDescription[] = [
  { name: 'O0', summary: 'everything in FP32', lossScale: { fp16: 'none', bf16: 'none' } },
  { name: 'O1', summary: 'listed ops in half', lossScale },
  { name: 'O2', summary: 'all but normalisation and loss in half', lossScale },
  { name: 'O3', summary: 'everything in half', lossScale: { fp16: 'none', bf16: 'none' } },
];
