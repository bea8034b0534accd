# Serves a model until the standard input ends, so that the server never outlives the test that started it. The one
# argument holds the settings as JSON; the first line of output is the address.
import json
import sys

import xllamacpp

settings = json.loads(sys.argv[1])
p = xllamacpp.CommonParams()
p.model.path = settings["model"]
p.hostnames = ["127.0.0.1"]
p.port = 0  # a free one, chosen by the system
p.ui = False
p.n_gpu_layers = 0
p.n_parallel = settings["slots"]
p.n_ctx = settings["slots"] * settings["context"]
p.cpuparams.n_threads = settings["threads"]
p.cpuparams_batch.n_threads = settings["threads"]
p.fit_params = False
p.warmup = False
if settings["exact"]:
    p.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    p.cache_type_k = p.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
if settings["template"]:
    p.chat_template = settings["template"]
if settings["api_key"]:
    p.api_keys = [settings["api_key"]]
server = xllamacpp.Server(p)
print(server.listening_address, flush=True)
sys.stdin.read()
