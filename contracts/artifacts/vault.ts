// Vault, as contracts/scripts/compile.ts wrote it. Change the source and compile it again instead.

export const vaultAbi = [
  {
    "inputs": [
      {
        "internalType": "contract IERC20",
        "name": "asset_",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "admin",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "AccessControlBadConfirmation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "neededRole",
        "type": "bytes32"
      }
    ],
    "name": "AccessControlUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "CheckpointUnorderedInsertion",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "DepositsPaused",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "booked",
        "type": "uint256"
      }
    ],
    "name": "InsufficientFunds",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      }
    ],
    "name": "InvalidRecipient",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "name": "OutflowLimitExceeded",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "PaymentsPaused",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "name": "PayoutAlreadyPaid",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "bits",
        "type": "uint8"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "SafeCastOverflowedUintDowncast",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "received",
        "type": "uint256"
      }
    ],
    "name": "UnexpectedAmountReceived",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "name": "WithdrawalAlreadyPaid",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAddress",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "purpose",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "payer",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldContributedFor",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newContributedFor",
        "type": "uint256"
      }
    ],
    "name": "Contributed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "payer",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldTotalDeposited",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newTotalDeposited",
        "type": "uint256"
      }
    ],
    "name": "Deposited",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "bool",
        "name": "oldPaused",
        "type": "bool"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "newPaused",
        "type": "bool"
      }
    ],
    "name": "DepositsPausedChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldLimit",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newLimit",
        "type": "uint256"
      }
    ],
    "name": "OutflowLimitChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldTotalPaidOut",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newTotalPaidOut",
        "type": "uint256"
      }
    ],
    "name": "PaidOut",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "bool",
        "name": "oldPaused",
        "type": "bool"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "newPaused",
        "type": "bool"
      }
    ],
    "name": "PaymentsPausedChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "previousAdminRole",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "newAdminRole",
        "type": "bytes32"
      }
    ],
    "name": "RoleAdminChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleGranted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldTotalWithdrawn",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newTotalWithdrawn",
        "type": "uint256"
      }
    ],
    "name": "Withdrawn",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "DEFAULT_ADMIN_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "OPERATOR_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "PAUSER_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "areDepositsPaused",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "arePaymentsPaused",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "asset",
    "outputs": [
      {
        "internalType": "contract IERC20",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "balanceSheet",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "deposited",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "contributed",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "withdrawn",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "paidOut",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "booked",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "balance",
            "type": "uint256"
          }
        ],
        "internalType": "struct Vault.BalanceSheet",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "bookedBalance",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "purpose",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "contribute",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "purpose",
        "type": "bytes32"
      }
    ],
    "name": "contributedFor",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "deposit",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "depositFor",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      }
    ],
    "name": "getRoleAdmin",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "grantRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "hasRole",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "name": "isPayoutPaid",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "name": "isWithdrawalPaid",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "outflow",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "used",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "outflowLimit",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "payout",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "callerConfirmation",
        "type": "address"
      }
    ],
    "name": "renounceRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "revokeRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bool",
        "name": "newPaused",
        "type": "bool"
      }
    ],
    "name": "setDepositsPaused",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint208",
        "name": "newLimit",
        "type": "uint208"
      }
    ],
    "name": "setOutflowLimit",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bool",
        "name": "newPaused",
        "type": "bool"
      }
    ],
    "name": "setPaymentsPaused",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes4",
        "name": "interfaceId",
        "type": "bytes4"
      }
    ],
    "name": "supportsInterface",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalContributed",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalDeposited",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalPaidOut",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalWithdrawn",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "withdraw",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const vaultBytecode =
  "0x60a060405234801561000f575f5ffd5b50604051611c16380380611c1683398101604081905261002e916101ed565b81816001600160a01b038216158061004d57506001600160a01b038116155b1561006b5760405163d92e233d60e01b815260040160405180910390fd5b6001600160a01b0382166080526100825f8261009b565b5050506100945f61014460201b60201c565b5050610225565b5f828152602081815260408083206001600160a01b038516845290915281205460ff1661013b575f838152602081815260408083206001600160a01b03861684529091529020805460ff191660011790556100f33390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a450600161013e565b505f5b92915050565b600554604080519182526001600160d01b03831660208301527faebedf9e5961bf51b207871f350e5f5255d6d903330e7a173a5face9f5ea7c54910160405180910390a16001600160d01b03811660058190556101d6906201518090156101ab57826101b4565b6001600160d01b035b6001600160d01b0316600160d01b65ffffffffffff9092169190910217600a55565b50565b6001600160a01b03811681146101d6575f5ffd5b5f5f604083850312156101fe575f5ffd5b8251610209816101d9565b602084015190925061021a816101d9565b809150509250929050565b6080516119b66102605f395f81816103410152818161072501528181610c1e01528181610ecd01528181610f4d0152610f9601526119b65ff3fe608060405234801561000f575f5ffd5b50600436106101dc575f3560e01c80634b31971311610109578063bd3e654c1161009e578063f20976111161006e578063f20976111461047a578063f5b541a614610487578063f60f218a146104ae578063ff50abdc146104d0575f5ffd5b8063bd3e654c14610411578063c5c96bb414610423578063d547741f14610440578063e63ab1e914610453575f5ffd5b8063a217fddf116100d9578063a217fddf146103d1578063a6fb97d1146103d8578063b6b55f25146103eb578063b9539642146103fe575f5ffd5b80634b3197131461039a5780638864692b146103a357806391d14854146103b657806399385e6b146103c9575f5ffd5b806322285cf61161017f5780632f4f21e21161014f5780632f4f21e21461031657806336568abe1461032957806338d52e0f1461033c57806343cc36aa1461037b575f5ffd5b806322285cf61461027b578063248a9ca3146102ce578063278adb2e146102f05780632f2ff15d14610303575f5ffd5b80631357e1dc116101ba5780631357e1dc146102285780631c42f01b146102315780631c481e2d146102535780631f52f7fa14610268575f5ffd5b806301ffc9a7146101e0578063023f4147146102085780630fd622561461021f575b5f5ffd5b6101f36101ee366004611801565b6104d9565b60405190151581526020015b60405180910390f35b61021160025481565b6040519081526020016101ff565b61021160055481565b61021160045481565b6101f361023f366004611828565b60096020525f908152604090205460ff1681565b61026661026136600461183f565b61050f565b005b610266610276366004611879565b610590565b61028361069a565b6040516101ff91905f60c082019050825182526020830151602083015260408301516040830152606083015160608301526080830151608083015260a083015160a083015292915050565b6102116102dc366004611828565b5f9081526020819052604090206001015490565b6102666102fe3660046118ac565b610795565b6102666103113660046118d2565b6107ac565b6102666103243660046118fc565b6107d6565b6102666103373660046118d2565b610817565b6103637f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b0390911681526020016101ff565b610211610389366004611828565b60076020525f908152604090205481565b61021160035481565b6102666103b136600461183f565b61084a565b6101f36103c43660046118d2565b6108d6565b6102116108fe565b6102115f81565b6102666103e6366004611879565b61092e565b6102666103f9366004611828565b6109fc565b61026661040c366004611924565b610a19565b6006546101f390610100900460ff1681565b61042b610acb565b604080519283526020830191909152016101ff565b61026661044e3660046118d2565b610aea565b6102117f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a81565b6006546101f39060ff1681565b6102117f97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b92981565b6101f36104bc366004611828565b60086020525f908152604090205460ff1681565b61021160015481565b5f6001600160e01b03198216637965db0b60e01b148061050957506301ffc9a760e01b6001600160e01b03198316145b92915050565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a61053981610b0e565b6006546040805160ff9092161515825283151560208301527f3bc9eb2d460451176cbbb6f07a280410ce240e2e0d24b186d00b12f81b4386b2910160405180910390a1506006805460ff1916911515919091179055565b610598610b18565b7f97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b9296105c281610b0e565b5f8481526009602052604090205460ff16156105f95760405163afbbbf9560e01b8152600481018590526024015b60405180910390fd5b6106038383610b4f565b5f848152600960205260409020805460ff191660011790556004546106288382611958565b6004556001600160a01b038416857fff457a90eb3583b5867ef1c3fb464de261f24e1bf1ac101cf170b139bd04e0d185846106638282611958565b6040805193845260208401929092529082015260600160405180910390a361068b8484610c11565b5050610695610c45565b505050565b6106cd6040518060c001604052805f81526020015f81526020015f81526020015f81526020015f81526020015f81525090565b6040518060c0016040528060015481526020016002548152602001600354815260200160045481526020016107006108fe565b81526040516370a0823160e01b81523060048201526020909101906001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016906370a0823190602401602060405180830381865afa15801561076a573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061078e919061196b565b9052919050565b5f61079f81610b0e565b6107a882610c6f565b5050565b5f828152602081905260409020600101546107c681610b0e565b6107d08383610d01565b50505050565b6107de610b18565b6001600160a01b0382166108055760405163d92e233d60e01b815260040160405180910390fd5b61080f8282610d90565b6107a8610c45565b6001600160a01b03811633146108405760405163334bd91960e11b815260040160405180910390fd5b6106958282610e2d565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a61087481610b0e565b6006546040805161010090920460ff161515825283151560208301527f1dd062e1148955fdeaf51dfc69757a301d6080bbadb166feab434c2b71524771910160405180910390a150600680549115156101000261ff0019909216919091179055565b5f918252602082815260408084206001600160a01b0393909316845291905290205460ff1690565b5f6004546003546002546001546109159190611958565b61091f9190611982565b6109299190611982565b905090565b610936610b18565b7f97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b92961096081610b0e565b5f8481526008602052604090205460ff161561099257604051630ae7b60f60e21b8152600481018590526024016105f0565b61099c8383610b4f565b5f848152600860205260409020805460ff191660011790556003546109c18382611958565b6003556001600160a01b038416857ff7df28786d8d49895250334fa8582daeb147e7840983f80569f72140f0aa34bd85846106638282611958565b610a04610b18565b610a0e3382610d90565b610a16610c45565b50565b610a21610b18565b610a2a81610e96565b5f82815260076020526040902054610a428282611958565b5f8481526007602052604081209190915560028054849290610a65908490611958565b90915550339050837fc0a948045e68178c9771d20b01eaef05ec6c63d483cb0b655cc555bc9df3fe3d8484610a9a8282611958565b6040805193845260208401929092529082015260600160405180910390a3610ac23383610eb6565b506107a8610c45565b5f80610ae2600a666f7574666c6f7760c81b611034565b915091509091565b5f82815260208190526040902060010154610b0481610b0e565b6107d08383610e2d565b610a1681336110cb565b610b20611104565b610b4d60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90611144565b565b600654610100900460ff1615610b7857604051630af7f45760e41b815260040160405180910390fd5b610b8181610e96565b610b8a8261114b565b5f610b936108fe565b905080821115610bbf5760405162fae2d560e21b815260048101839052602481018290526044016105f0565b610bd5600a666f7574666c6f7760c81b84611192565b6106955781610bef600a666f7574666c6f7760c81b611233565b604051633a4407b760e21b8152600481019290925260248201526044016105f0565b6107a86001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168383611246565b610b4d5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00610b47565b600554604080519182526001600160d01b03831660208301527faebedf9e5961bf51b207871f350e5f5255d6d903330e7a173a5face9f5ea7c54910160405180910390a16001600160d01b0381166005819055610a1690620151809015610cd65782610cdf565b6001600160d01b035b6001600160d01b0316600160d01b65ffffffffffff9092169190910217600a55565b5f610d0c83836108d6565b610d89575f838152602081815260408083206001600160a01b03861684529091529020805460ff19166001179055610d413390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a4506001610509565b505f610509565b60065460ff1615610db45760405163deeb694360e01b815260040160405180910390fd5b610dbd81610e96565b600154610dca8282611958565b600155336001600160a01b0384167f8bab6aed5a508937051a144e61d6e61336834a66aaee250a00613ae6f744c4228484610e058282611958565b6040805193845260208401929092529082015260600160405180910390a36106953383610eb6565b5f610e3883836108d6565b15610d89575f838152602081815260408083206001600160a01b0386168085529252808320805460ff1916905551339286917ff6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b9190a4506001610509565b805f03610a1657604051631f2a200560e01b815260040160405180910390fd5b6040516370a0823160e01b81523060048201525f907f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316906370a0823190602401602060405180830381865afa158015610f1a573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610f3e919061196b565b9050610f756001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001684308561127b565b6040516370a0823160e01b81523060048201525f9082906001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016906370a0823190602401602060405180830381865afa158015610fdb573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610fff919061196b565b6110099190611982565b90508281146107d057604051621d77cb60e51b815260048101849052602481018290526044016105f0565b5f818152600183016020526040812081906110ac611051826112b1565b6001600160d01b03166110996110926110686112f5565b895465ffffffffffff9182169161108891600160d01b90041660016112ff565b8103908111150290565b849061130e565b6001600160d01b03168103908111150290565b945494956001600160d01b039095168681039081111502949350505050565b6110d582826108d6565b6107a85760405163e2517d3f60e01b81526001600160a01b0382166004820152602481018390526044016105f0565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610b4d57604051633ee5aeb560e01b815260040160405180910390fd5b80825d5050565b6001600160a01b038116158061116957506001600160a01b03811630145b15610a1657604051630bc2c5df60e11b81526001600160a01b03821660048201526024016105f0565b5f815f036111a25750600161122c565b5f5f6111ae8686611034565b9150915080841161122657815f036111d1575f8581526001870160205260408120555b5f85815260018701602052604090206112186111eb6112f5565b611210876111f8856112b1565b6001600160d01b031661120b9190611958565b6113b1565b8391906113e8565b50506001935050505061122c565b5f925050505b9392505050565b5f61123e8383611034565b949350505050565b6112538383836001611402565b61069557604051635274afe760e01b81526001600160a01b03841660048201526024016105f0565b611289848484846001611464565b6107d057604051635274afe760e01b81526001600160a01b03851660048201526024016105f0565b80545f9080156112ed576112d7836112ca600184611982565b5f91825260209091200190565b54600160301b90046001600160d01b031661122c565b5f9392505050565b5f610929426114d1565b5f82821882841102821861122c565b81545f908181600581111561136a575f61132784611503565b6113319085611982565b5f8881526020902090915081015465ffffffffffff908116908716101561135a57809150611368565b611365816001611958565b92505b505b5f6113778787858561165b565b905080156113a45761138e876112ca600184611982565b54600160301b90046001600160d01b03166113a6565b5f5b979650505050505050565b5f6001600160d01b038211156113e4576040516306dfcc6560e41b815260d06004820152602481018390526044016105f0565b5090565b5f806113f58585856116b1565b915091505b935093915050565b60405163a9059cbb60e01b5f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f5114831661145857838315161561144c573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b6040516323b872dd60e01b5f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f511483166114c05783831516156114b4573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b5f65ffffffffffff8211156113e4576040516306dfcc6560e41b815260306004820152602481018390526044016105f0565b5f60018211611510575090565b816001600160801b82106115295760809190911c9060401b5b6801000000000000000082106115445760409190911c9060201b5b640100000000821061155b5760209190911c9060101b5b6201000082106115705760109190911c9060081b5b61010082106115845760089190911c9060041b5b601082106115975760049190911c9060021b5b600482106115a35760011b5b600302600190811c908185816115bb576115bb611995565b048201901c905060018185816115d3576115d3611995565b048201901c905060018185816115eb576115eb611995565b048201901c9050600181858161160357611603611995565b048201901c9050600181858161161b5761161b611995565b048201901c9050600181858161163357611633611995565b048201901c905061165281858161164c5761164c611995565b04821190565b90039392505050565b5f5b818310156116a9575f85815260209020838316600285851804019081015465ffffffffffff86811691161115611695578092506116a3565b6116a0816001611958565b93505b5061165d565b509392505050565b82545f90819080156117a7575f6116cd876112ca600185611982565b805490915065ffffffffffff80821691600160301b90046001600160d01b031690881682111561171057604051632520601d60e01b815260040160405180910390fd5b8765ffffffffffff168265ffffffffffff160361174957825465ffffffffffff16600160301b6001600160d01b03891602178355611799565b6040805180820190915265ffffffffffff808a1682526001600160d01b03808a1660208085019182528d54600181018f555f8f81529190912094519151909216600160301b029216919091179101555b94508593506113fa92505050565b50506040805180820190915265ffffffffffff80851682526001600160d01b0380851660208085019182528854600181018a555f8a815291822095519251909316600160301b0291909316179201919091559050816113fa565b5f60208284031215611811575f5ffd5b81356001600160e01b03198116811461122c575f5ffd5b5f60208284031215611838575f5ffd5b5035919050565b5f6020828403121561184f575f5ffd5b8135801515811461122c575f5ffd5b80356001600160a01b0381168114611874575f5ffd5b919050565b5f5f5f6060848603121561188b575f5ffd5b8335925061189b6020850161185e565b929592945050506040919091013590565b5f602082840312156118bc575f5ffd5b81356001600160d01b038116811461122c575f5ffd5b5f5f604083850312156118e3575f5ffd5b823591506118f36020840161185e565b90509250929050565b5f5f6040838503121561190d575f5ffd5b6119168361185e565b946020939093013593505050565b5f5f60408385031215611935575f5ffd5b50508035926020909101359150565b634e487b7160e01b5f52601160045260245ffd5b8082018082111561050957610509611944565b5f6020828403121561197b575f5ffd5b5051919050565b8181038181111561050957610509611944565b634e487b7160e01b5f52601260045260245ffdfea164736f6c6343000825000a" as const;
