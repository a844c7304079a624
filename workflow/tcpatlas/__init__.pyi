from tcpatlas.base.errors import AtlasError as AtlasError
from tcpatlas.library import ask as ask
from tcpatlas.library import cdf as cdf
from tcpatlas.library import environment as environment
from tcpatlas.library import environments as environments
from tcpatlas.library import predict as predict
from tcpatlas.library import simulate as simulate

__version__: str
