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
        "internalType": "int256",
        "name": "used",
        "type": "int256"
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
  "0x60a060405234801561000f575f5ffd5b50604051611bfe380380611bfe83398101604081905261002e916101ad565b81816001600160a01b038216158061004d57506001600160a01b038116155b1561006b5760405163d92e233d60e01b815260040160405180910390fd5b6001600160a01b0382166080526100825f8261009b565b5050506100945f61014460201b60201c565b50506101e5565b5f828152602081815260408083206001600160a01b038516845290915281205460ff1661013b575f838152602081815260408083206001600160a01b03861684529091529020805460ff191660011790556100f33390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a450600161013e565b505f5b92915050565b600554604080519182526001600160d01b03831660208301527faebedf9e5961bf51b207871f350e5f5255d6d903330e7a173a5face9f5ea7c54910160405180910390a16001600160d01b0316600555565b6001600160a01b03811681146101aa575f5ffd5b50565b5f5f604083850312156101be575f5ffd5b82516101c981610196565b60208401519092506101da81610196565b809150509250929050565b6080516119de6102205f395f81816103410152818161072501528181610c0401528181610e7c01528181610efc0152610f4501526119de5ff3fe608060405234801561000f575f5ffd5b50600436106101dc575f3560e01c80634b31971311610109578063bd3e654c1161009e578063f20976111161006e578063f20976111461047a578063f5b541a614610487578063f60f218a146104ae578063ff50abdc146104d0575f5ffd5b8063bd3e654c14610411578063c5c96bb414610423578063d547741f14610440578063e63ab1e914610453575f5ffd5b8063a217fddf116100d9578063a217fddf146103d1578063a6fb97d1146103d8578063b6b55f25146103eb578063b9539642146103fe575f5ffd5b80634b3197131461039a5780638864692b146103a357806391d14854146103b657806399385e6b146103c9575f5ffd5b806322285cf61161017f5780632f4f21e21161014f5780632f4f21e21461031657806336568abe1461032957806338d52e0f1461033c57806343cc36aa1461037b575f5ffd5b806322285cf61461027b578063248a9ca3146102ce578063278adb2e146102f05780632f2ff15d14610303575f5ffd5b80631357e1dc116101ba5780631357e1dc146102285780631c42f01b146102315780631c481e2d146102535780631f52f7fa14610268575f5ffd5b806301ffc9a7146101e0578063023f4147146102085780630fd622561461021f575b5f5ffd5b6101f36101ee3660046117a3565b6104d9565b60405190151581526020015b60405180910390f35b61021160025481565b6040519081526020016101ff565b61021160055481565b61021160045481565b6101f361023f3660046117ca565b60096020525f908152604090205460ff1681565b6102666102613660046117e1565b61050f565b005b61026661027636600461181b565b610590565b61028361069a565b6040516101ff91905f60c082019050825182526020830151602083015260408301516040830152606083015160608301526080830151608083015260a083015160a083015292915050565b6102116102dc3660046117ca565b5f9081526020819052604090206001015490565b6102666102fe36600461184e565b610795565b610266610311366004611874565b6107ac565b61026661032436600461189e565b6107d6565b610266610337366004611874565b610817565b6103637f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b0390911681526020016101ff565b6102116103893660046117ca565b60076020525f908152604090205481565b61021160035481565b6102666103b13660046117e1565b61084a565b6101f36103c4366004611874565b6108d6565b6102116108fe565b6102115f81565b6102666103e636600461181b565b61092e565b6102666103f93660046117ca565b6109fc565b61026661040c3660046118c6565b610a19565b6006546101f390610100900460ff1681565b61042b610acb565b604080519283526020830191909152016101ff565b61026661044e366004611874565b610b19565b6102117f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a81565b6006546101f39060ff1681565b6102117f97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b92981565b6101f36104bc3660046117ca565b60086020525f908152604090205460ff1681565b61021160015481565b5f6001600160e01b03198216637965db0b60e01b148061050957506301ffc9a760e01b6001600160e01b03198316145b92915050565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a61053981610b3d565b6006546040805160ff9092161515825283151560208301527f3bc9eb2d460451176cbbb6f07a280410ce240e2e0d24b186d00b12f81b4386b2910160405180910390a1506006805460ff1916911515919091179055565b610598610b47565b7f97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b9296105c281610b3d565b5f8481526009602052604090205460ff16156105f95760405163afbbbf9560e01b8152600481018590526024015b60405180910390fd5b6106038383610b7e565b5f848152600960205260409020805460ff1916600117905560045461062883826118fa565b6004556001600160a01b038416857fff457a90eb3583b5867ef1c3fb464de261f24e1bf1ac101cf170b139bd04e0d1858461066382826118fa565b6040805193845260208401929092529082015260600160405180910390a361068b8484610bf7565b5050610695610c2b565b505050565b6106cd6040518060c001604052805f81526020015f81526020015f81526020015f81526020015f81526020015f81525090565b6040518060c0016040528060015481526020016002548152602001600354815260200160045481526020016107006108fe565b81526040516370a0823160e01b81523060048201526020909101906001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016906370a0823190602401602060405180830381865afa15801561076a573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061078e919061190d565b9052919050565b5f61079f81610b3d565b6107a882610c55565b5050565b5f828152602081905260409020600101546107c681610b3d565b6107d08383610ca7565b50505050565b6107de610b47565b6001600160a01b0382166108055760405163d92e233d60e01b815260040160405180910390fd5b61080f8282610d36565b6107a8610c2b565b6001600160a01b03811633146108405760405163334bd91960e11b815260040160405180910390fd5b6106958282610ddc565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a61087481610b3d565b6006546040805161010090920460ff161515825283151560208301527f1dd062e1148955fdeaf51dfc69757a301d6080bbadb166feab434c2b71524771910160405180910390a150600680549115156101000261ff0019909216919091179055565b5f918252602082815260408084206001600160a01b0393909316845291905290205460ff1690565b5f60045460035460025460015461091591906118fa565b61091f9190611924565b6109299190611924565b905090565b610936610b47565b7f97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b92961096081610b3d565b5f8481526008602052604090205460ff161561099257604051630ae7b60f60e21b8152600481018590526024016105f0565b61099c8383610b7e565b5f848152600860205260409020805460ff191660011790556003546109c183826118fa565b6003556001600160a01b038416857ff7df28786d8d49895250334fa8582daeb147e7840983f80569f72140f0aa34bd858461066382826118fa565b610a04610b47565b610a0e3382610d36565b610a16610c2b565b50565b610a21610b47565b610a2a81610e45565b5f82815260076020526040902054610a4282826118fa565b5f8481526007602052604081209190915560028054849290610a659084906118fa565b90915550339050837fc0a948045e68178c9771d20b01eaef05ec6c63d483cb0b655cc555bc9df3fe3d8484610a9a82826118fa565b6040805193845260208401929092529082015260600160405180910390a3610ac23383610e65565b506107a8610c2b565b6005545f908190610ada610fe3565b9250805f03610aec575090915f199150565b610af581611937565b831215610b0857610b0581611937565b92505b610b128382611002565b9150509091565b5f82815260208190526040902060010154610b3381610b3d565b6107d08383610ddc565b610a168133611023565b610b4f61105c565b610b7c60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b9061109c565b565b600654610100900460ff1615610ba757604051630af7f45760e41b815260040160405180910390fd5b610bb081610e45565b610bb9826110a3565b5f610bc26108fe565b905080821115610bee5760405162fae2d560e21b815260048101839052602481018290526044016105f0565b610695826110ea565b6107a86001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168383611174565b610b7c5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00610b76565b600554604080519182526001600160d01b03831660208301527faebedf9e5961bf51b207871f350e5f5255d6d903330e7a173a5face9f5ea7c54910160405180910390a16001600160d01b0316600555565b5f610cb283836108d6565b610d2f575f838152602081815260408083206001600160a01b03861684529091529020805460ff19166001179055610ce73390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a4506001610509565b505f610509565b60065460ff1615610d5a5760405163deeb694360e01b815260040160405180910390fd5b610d6381610e45565b600154610d7082826118fa565b600155610d7c826111a9565b336001600160a01b0384167f8bab6aed5a508937051a144e61d6e61336834a66aaee250a00613ae6f744c4228484610db482826118fa565b6040805193845260208401929092529082015260600160405180910390a36106953383610e65565b5f610de783836108d6565b15610d2f575f838152602081815260408083206001600160a01b0386168085529252808320805460ff1916905551339286917ff6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b9190a4506001610509565b805f03610a1657604051631f2a200560e01b815260040160405180910390fd5b6040516370a0823160e01b81523060048201525f907f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316906370a0823190602401602060405180830381865afa158015610ec9573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610eed919061190d565b9050610f246001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168430856111f5565b6040516370a0823160e01b81523060048201525f9082906001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016906370a0823190602401602060405180830381865afa158015610f8a573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610fae919061190d565b610fb89190611924565b90508281146107d057604051621d77cb60e51b815260048101849052602481018290526044016105f0565b5f610fee600b61122b565b610ff8600a61122b565b6109299190611951565b5f8183121561101a576110158383611951565b61101c565b5f5b9392505050565b61102d82826108d6565b6107a85760405163e2517d3f60e01b81526001600160a01b0382166004820152602481018390526044016105f0565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610b7c57604051633ee5aeb560e01b815260040160405180910390fd5b80825d5050565b6001600160a01b03811615806110c157506001600160a01b03811630145b15610a1657604051630bc2c5df60e11b81526001600160a01b03821660048201526024016105f0565b600554818115611169575f6110fd610fe3565b90505f61110984611937565b90508082121561112d5761111d8282611951565b61112790846118fa565b92508091505b5f6111388386611002565b90508086111561116557604051633a4407b760e21b815260048101879052602481018290526044016105f0565b5050505b610695600a82611266565b6111818383836001611297565b61069557604051635274afe760e01b81526001600160a01b03841660048201526024016105f0565b6005548181156111e4575f826111bd610fe3565b6111c79190611977565b90505f81136111d6575f6111e0565b6111e084826112f9565b9150505b801561069557610695600b82611266565b611203848484846001611308565b6107d057604051635274afe760e01b81526001600160a01b03851660048201526024016105f0565b5f426201517f19810190811115026112438382611375565b61124c84611425565b611256919061199e565b6001600160d01b03169392505050565b6107d04261128f8361127786611425565b6001600160d01b031661128a91906118fa565b611454565b84919061148b565b60405163a9059cbb60e01b5f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166112ed5783831516156112e1573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f82821882841002821861101c565b6040516323b872dd60e01b5f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f51148316611364578383151615611358573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b81545f90818160058111156113d1575f61138e846114a5565b6113989085611924565b5f8881526020902090915081015465ffffffffffff90811690871610156113c1578091506113cf565b6113cc8160016118fa565b92505b505b5f6113de878785856115fd565b9050801561141857611402876113f5600184611924565b5f91825260209091200190565b54600160301b90046001600160d01b031661141a565b5f5b979650505050505050565b80545f90801561101a5761143e836113f5600184611924565b54600160301b90046001600160d01b031661101c565b5f6001600160d01b03821115611487576040516306dfcc6560e41b815260d06004820152602481018390526044016105f0565b5090565b5f80611498858585611653565b915091505b935093915050565b5f600182116114b2575090565b816001600160801b82106114cb5760809190911c9060401b5b6801000000000000000082106114e65760409190911c9060201b5b64010000000082106114fd5760209190911c9060101b5b6201000082106115125760109190911c9060081b5b61010082106115265760089190911c9060041b5b601082106115395760049190911c9060021b5b600482106115455760011b5b600302600190811c9081858161155d5761155d6119bd565b048201901c90506001818581611575576115756119bd565b048201901c9050600181858161158d5761158d6119bd565b048201901c905060018185816115a5576115a56119bd565b048201901c905060018185816115bd576115bd6119bd565b048201901c905060018185816115d5576115d56119bd565b048201901c90506115f48185816115ee576115ee6119bd565b04821190565b90039392505050565b5f5b8183101561164b575f85815260209020838316600285851804019081015465ffffffffffff8681169116111561163757809250611645565b6116428160016118fa565b93505b506115ff565b509392505050565b82545f9081908015611749575f61166f876113f5600185611924565b805490915065ffffffffffff80821691600160301b90046001600160d01b03169088168211156116b257604051632520601d60e01b815260040160405180910390fd5b8765ffffffffffff168265ffffffffffff16036116eb57825465ffffffffffff16600160301b6001600160d01b0389160217835561173b565b6040805180820190915265ffffffffffff808a1682526001600160d01b03808a1660208085019182528d54600181018f555f8f81529190912094519151909216600160301b029216919091179101555b945085935061149d92505050565b50506040805180820190915265ffffffffffff80851682526001600160d01b0380851660208085019182528854600181018a555f8a815291822095519251909316600160301b02919093161792019190915590508161149d565b5f602082840312156117b3575f5ffd5b81356001600160e01b03198116811461101c575f5ffd5b5f602082840312156117da575f5ffd5b5035919050565b5f602082840312156117f1575f5ffd5b8135801515811461101c575f5ffd5b80356001600160a01b0381168114611816575f5ffd5b919050565b5f5f5f6060848603121561182d575f5ffd5b8335925061183d60208501611800565b929592945050506040919091013590565b5f6020828403121561185e575f5ffd5b81356001600160d01b038116811461101c575f5ffd5b5f5f60408385031215611885575f5ffd5b8235915061189560208401611800565b90509250929050565b5f5f604083850312156118af575f5ffd5b6118b883611800565b946020939093013593505050565b5f5f604083850312156118d7575f5ffd5b50508035926020909101359150565b634e487b7160e01b5f52601160045260245ffd5b80820180821115610509576105096118e6565b5f6020828403121561191d575f5ffd5b5051919050565b81810381811115610509576105096118e6565b5f600160ff1b820161194b5761194b6118e6565b505f0390565b8181035f831280158383131683831282161715611970576119706118e6565b5092915050565b8082018281125f831280158216821582161715611996576119966118e6565b505092915050565b6001600160d01b038281168282160390811115610509576105096118e6565b634e487b7160e01b5f52601260045260245ffdfea164736f6c6343000825000a" as const;
