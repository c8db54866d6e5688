from tfxla_lint.interface import Error as Error
from tfxla_lint.interface import Fixed as Fixed
from tfxla_lint.interface import Result as Result
from tfxla_lint.interface import Verification as Verification
from tfxla_lint.interface import check as check
from tfxla_lint.interface import fix as fix
from tfxla_lint.interface import verify as verify
from tfxla_lint.interface import verify_patch as verify_patch

__version__: str

def load_ipython_extension(ipython: object) -> None: ...
