import fc from 'fast-check'

// With SEED, properties are tried on the same values in every run.
fc.configureGlobal({ seed: Number(process.env.SEED) })
